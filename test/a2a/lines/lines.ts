import { cardLines } from './cards.js';
import type { Line } from './line.js';
import { messageLines } from './messages.js';
import { streamLines } from './streams.js';
import { taskLines } from './tasks.js';
import { webhookLines } from './webhooks.js';

/** The checklist. docs/conformance.md shows it. */
export const lines: readonly Line[] = [...messageLines, ...streamLines, ...taskLines, ...webhookLines, ...cardLines];
