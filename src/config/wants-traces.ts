import { UsageError } from '../util/usage-error.js';

/** Whether the operator wants OpenTelemetry traces, according to the variables that every OpenTelemetry SDK reads. */
export function wantsTraces(env: NodeJS.ProcessEnv): boolean {
  const exporter = env['OTEL_TRACES_EXPORTER'] ?? '';
  if (!['', 'otlp', 'none'].includes(exporter))
    throw new UsageError(`OTEL_TRACES_EXPORTER must be otlp or none, got "${exporter}"`);
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || exporter === 'none') return false;
  const hasEndpoint = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  return exporter === 'otlp' || hasEndpoint;
}
