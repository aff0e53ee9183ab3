import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '../../domain/errors.js';
import { isTurnEnd, type SessionEvent, type Usage } from '../../domain/events.js';
import type { ServerTasks } from '../../tasks/server-tasks.js';
import type { Session } from '../../session/session.js';
import type { ClusterFigures } from './cluster-view.js';
import { NewAnswers } from './new-answers.js';
import { routeOf } from './route-of.js';

export type MetricsSources = {
  readonly counts: () => ServerTasks['counts'];
  readonly connections: () => { readonly clients: number; readonly streams: number };
  /** Absent without a cluster. */
  readonly cluster?: () => ClusterFigures;
};

const name = (what: string): string => `cosession_${what}`;

/** The server's metrics in Prometheus text format. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('http_requests_total', 'Answered requests', ['method', 'route', 'status']);
  readonly #refusals = this.#counter('refusals_total', 'Requests answered with an error, by its code', ['code']);
  /** Counted here, and by Prometheus' library only when somebody asks: its counting takes longer than sending a piece of text. */
  readonly #events = new Map<SessionEvent['type'], number>();
  readonly #turns = this.#counter('turns_total', 'Turns that ended', ['state']);
  readonly #approvals = this.#counter('approvals_total', 'Tool calls that were answered', ['outcome', 'surface']);
  readonly #tokens = this.#counter('tokens_total', 'Tokens as the model reported them', ['kind', 'model']);
  readonly #durations = new Histogram({
    name: name('http_request_duration_seconds'),
    help: 'From the request to the end of its answer; event streams are left out',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [this.#registry],
  });
  readonly #answers = new NewAnswers();

  constructor({ counts, connections, cluster }: MetricsSources) {
    // The default precision wakes an idle server a hundred times a second.
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 200 });
    // Gauges that are named like counters, which promtool warns about. The same numbers exist without the suffix, by type.
    for (const misnamed of ['resources', 'handles', 'requests'])
      this.#registry.removeSingleMetric(`nodejs_active_${misnamed}_total`);
    const events = this.#counted('events_total', 'Session events', ['type'], () => {
      for (const [type, count] of this.#events) events.inc({ type }, count);
    });
    this.#gauge('tasks_running', 'Tasks with a running turn', () => counts().running);
    this.#gauge('tasks_queued', 'Turns waiting to run', () => counts().queued);
    this.#gauge('tasks_loaded', 'Tasks in memory', () => counts().loaded);
    this.#gauge('clients', 'Clients that are connected and watch', () => connections().clients);
    this.#gauge('event_streams', 'Open event streams of prompts', () => connections().streams);
    if (cluster) this.#showCluster(cluster);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Runs before all routes. */
  readonly countRequest: RequestHandler = (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const { method } = request;
      const route = routeOf(request);
      this.#requests.inc({ method, route, status: response.statusCode });
      const isStream = String(response.getHeader('content-type')).startsWith('text/event-stream');
      if (!isStream) this.#durations.observe({ method, route }, (performance.now() - startedAt) / 1000);
    });
    next();
  };

  /** Includes rate limits and full queues, which have their own codes. */
  readonly countRefusal = (code: ErrorCode): void => this.#refusals.inc({ code });

  /** Counts only new events. The past of a session that is loaded again was counted before. */
  readonly countEvents = (session: Session): void => {
    const from = session.seq;
    // Observe instead of subscribing: counting must not keep a session in memory.
    session.observe((event) => event.seq > from && this.#onEvent(event, session));
  };

  #onEvent(event: SessionEvent, session: Session): void {
    this.#events.set(event.type, (this.#events.get(event.type) ?? 0) + 1);
    if (event.type === 'turn' && isTurnEnd(event.state)) this.#turns.inc({ state: event.state });
    if (event.type === 'usage') this.#countTokens(event.usage, session.agent.model);
    const answered = this.#answers.in(event);
    if (answered)
      this.#approvals.inc({ outcome: answered.resolution.optionId, surface: answered.resolution.by.surface });
  }

  #countTokens({ inputTokens, outputTokens, cachedTokens, thoughtTokens }: Usage, model: string): void {
    const kinds = { input: inputTokens, output: outputTokens, cached: cachedTokens, thought: thoughtTokens };
    for (const [kind, count = 0] of Object.entries(kinds)) if (count > 0) this.#tokens.inc({ kind, model }, count);
  }

  #showCluster(figures: () => ClusterFigures): void {
    this.#gauge('cluster_mirrors', 'Tasks of other servers that are followed here', () => figures().mirrors);
    this.#gauge('cluster_bus_connected', 'Whether the bus is connected', () => Number(figures().isConnected));
    this.#total('cluster_gaps_total', 'Events missing between two messages', () => figures().counts.gaps);
    this.#total('cluster_late_news_total', 'Events that only the store told of', () => figures().counts.lateNews);
    this.#total('cluster_found_gone_total', 'Servers found gone before their lease', () => figures().counts.foundGone);
    const routed = this.#counted('cluster_routed_total', 'Requests to other servers', ['op', 'outcome'], () => {
      for (const { op, outcome, count } of figures().counts.allRouted()) routed.inc({ op, outcome }, count);
    });
    const told = this.#counted('cluster_told_total', 'Messages to all other servers', ['topic'], () => {
      for (const [topic, count] of figures().counts.allTold()) told.inc({ topic }, count);
    });
  }

  #total(what: string, help: string, read: () => number): void {
    const counter = this.#counted(what, help, [], () => counter.inc(read()));
  }

  /** A counter that something else counts. `count` adds all of it. */
  #counted<Label extends string>(what: string, help: string, labelNames: Label[], count: () => void): Counter<Label> {
    const counter: Counter<Label> = new Counter({
      name: name(what),
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        counter.reset();
        count();
      },
    });
    return counter;
  }

  #counter<Label extends string>(what: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: name(what), help, labelNames, registers: [this.#registry] });
  }

  #gauge(what: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name: name(what),
      help,
      registers: [this.#registry],
      collect: () => gauge.set(read()),
    });
  }
}
