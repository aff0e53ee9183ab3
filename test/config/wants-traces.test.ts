import { expect, test } from 'vitest';
import { wantsTraces } from '../../src/config/wants-traces.js';

test.each([
  ['nothing', {}, false],
  ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, true],
  ['an endpoint for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }, true],
  ['the exporter', { OTEL_TRACES_EXPORTER: 'otlp' }, true],
  ['no exporter', { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, false],
  ['a disabled SDK', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, false],
])('with %s in the environment, traces are wanted as OpenTelemetry says', (_name, env, wanted) => {
  expect(wantsTraces(env)).toBe(wanted);
});

test('an exporter that is not there is a mistake of the operator', () => {
  expect(() => wantsTraces({ OTEL_TRACES_EXPORTER: 'zipkin' })).toThrow('must be otlp or none, got "zipkin"');
});
