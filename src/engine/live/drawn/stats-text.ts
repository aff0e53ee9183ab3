import * as z from 'zod';
import type { ItemText } from './item-text.js';
import { row, titled } from './lines.js';

const count = z.number().default(0);
const model = z.object({
  api: z.object({ totalRequests: count, totalErrors: count, totalLatencyMs: count }),
  tokens: z.object({ total: count, input: count, prompt: count, candidates: count, cached: count, thoughts: count }),
});
const tool = z.object({ count, success: count, fail: count, durationMs: count });

/** The parts of the CLI's session figures that its displays show. */
const stats = z.object({
  sessionId: z.string(),
  metrics: z.object({
    models: z.record(z.string(), model).default({}),
    tools: z.object({
      totalCalls: count,
      totalSuccess: count,
      totalFail: count,
      byName: z.record(z.string(), tool).default({}),
    }),
    files: z.object({ totalLinesAdded: count, totalLinesRemoved: count }).optional(),
  }),
});
type Stats = z.infer<typeof stats>;

/** The displays of `/stats`, by the type of their item. */
export const statsTexts: Readonly<Record<string, ItemText>> = {
  stats: (item, context) => reading(context.stats, (figures) => sessionText(figures, item)),
  model_stats: (_item, context) => reading(context.stats, modelText),
  tool_stats: (_item, context) => reading(context.stats, toolText),
};

function reading(given: unknown, textOf: (figures: Stats) => string): string | undefined {
  const read = stats.safeParse(given);
  return read.success ? textOf(read.data) : undefined;
}

function sessionText(figures: Stats, item: object): string {
  const { tools, files } = figures.metrics;
  const { totalLinesAdded: added = 0, totalLinesRemoved: removed = 0 } = files ?? {};
  const duration: unknown = Reflect.get(item, 'duration');
  return [
    titled('Session', [
      row('Id', figures.sessionId),
      row('Time', typeof duration === 'string' ? duration : undefined),
      row('Tool calls', `${tools.totalCalls} (${tools.totalSuccess} succeeded, ${tools.totalFail} failed)`),
      added + removed === 0 ? undefined : row('Lines', `+${added} -${removed}`),
    ]),
    modelText(figures),
  ].join('\n');
}

function modelText({ metrics }: Stats): string {
  const used = Object.entries(metrics.models).filter(([, { api }]) => api.totalRequests > 0);
  const lines = used.map(([name, { api, tokens }]) =>
    [
      `${name}: ${api.totalRequests} requests`,
      ...(api.totalErrors === 0 ? [] : [`${api.totalErrors} errors`]),
      `${seconds(api.totalLatencyMs / api.totalRequests)} each`,
      `${tokens.input || tokens.prompt} input tokens`,
      ...(tokens.cached === 0 ? [] : [`${tokens.cached} of them cached`]),
      ...(tokens.thoughts === 0 ? [] : [`${tokens.thoughts} thought tokens`]),
      `${tokens.candidates} output tokens`,
    ].join(', '),
  );
  return titled('Models', lines);
}

function toolText({ metrics }: Stats): string {
  const used = Object.entries(metrics.tools.byName).filter(([, { count: calls }]) => calls > 0);
  return titled(
    'Tools',
    used.map(
      ([name, each]) =>
        `${name}: ${each.count} calls, ${each.fail} failed, ${seconds(each.durationMs / each.count)} each`,
    ),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
