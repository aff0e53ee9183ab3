import { diag, DiagLogLevel } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { RequestHandler } from 'express';
import type { Session } from '../../session/session.js';
import { traceRequests } from './request-spans.js';
import { traceSession } from './session-spans.js';

export type Traces = {
  /** Runs before all routes, once the request has its id. */
  readonly onRequest: RequestHandler;
  readonly onSession: (session: Session) => void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
};

/**
 * Spans over OTLP (HTTP, JSON), configured by the standard `OTEL_*` variables, which the SDK reads itself. The provider is
 * not registered globally because core has spans too, and they contain prompts.
 */
export function openTraces(version: string, onProblem: (problem: string) => void): Traces {
  const ignore = (): void => {};
  diag.setLogger(
    { error: onProblem, warn: onProblem, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'cosession', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('cosession', version);
  return {
    onRequest: traceRequests(tracer),
    onSession: (session) => traceSession(tracer, session),
    // onProblem reports an unreachable collector. It must not make the shutdown fail.
    close: () => provider.shutdown().catch(ignore),
  };
}
