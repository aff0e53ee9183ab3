import { fc } from './properties.js';
import type { ArtifactPart, EventBody, SessionEvent } from '../../src/domain/events.js';
import type { ApprovalDetails, ToolCall, ToolOutput } from '../../src/domain/tool-call.js';

/** Text with everything that has to be escaped or takes several bytes. */
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '"\\\n\u2028', 'Grüße 👋', '\ud800'));
const data = fc.dictionary(text, fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), { noNullPrototype: true });
const base64 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
const origin = fc.record({ surface: is('a2a'), client: text }, { requiredKeys: ['surface'] });

const part: fc.Arbitrary<ArtifactPart> = fc.oneof(
  fc.record({ kind: is('text'), text }),
  fc.record({ kind: is('data'), data }),
  fc.record({ kind: is('file'), name: text, mediaType: text, base64 }),
  fc.record({ kind: is('link'), name: text, mediaType: text, url: text }),
);

const diff = fc.record(
  { fileName: text, filePath: text, newContent: text, oldContent: text, formatted: text },
  { requiredKeys: ['fileName', 'filePath', 'newContent'] },
);
const output: fc.Arbitrary<ToolOutput> = fc.oneof(
  fc.record({ kind: is('text'), text }),
  fc.record({ kind: is('diff'), diff }),
  fc.record({ kind: is('data'), data }),
);
const details: fc.Arbitrary<ApprovalDetails> = fc.oneof(
  fc.record({ kind: is('execute'), command: text }),
  fc.record({ kind: is('edit'), diff }),
  fc.record({ kind: is('mcp'), serverName: text, toolName: text }),
  fc.record({ kind: is('generic'), description: text }),
  fc.record({ kind: is('questions'), description: text, questions: fc.array(data) }),
  fc.record({ kind: is('plan'), description: text, planPath: text }),
);
const approval = fc.record({ options: fc.array(fc.record({ id: text, name: text })), details });

const callState = fc.oneof(
  fc.record({ status: is('pending') }),
  fc.record({ status: is('waiting'), approval }),
  fc.record({ status: is('executing'), liveOutput: text }),
  fc.record({ status: is('succeeded'), output }),
  fc.record({ status: is('failed'), error: fc.record({ message: text, type: text }) }),
  fc.record({ status: is('cancelled'), reason: text }),
);
const resolution = fc.record({ optionId: text, by: origin, at: text });
const call: fc.Arbitrary<ToolCall> = fc
  .tuple(
    fc.record(
      { id: text, name: text, args: data, description: text, correlationId: text, resolution },
      { requiredKeys: ['id', 'name', 'args'] },
    ),
    callState,
  )
  .map(([about, state]) => ({ ...about, ...state }));

const turnState = fc.constantFrom(
  ...(['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'] as const),
);

const bodies = {
  prompt: fc.record({ type: is('prompt'), text, origin }),
  turn: fc.record({ type: is('turn'), state: turnState, error: text }, { requiredKeys: ['type', 'state'] }),
  cancel: fc.record({ type: is('cancel'), by: origin }),
  text: fc.record({ type: is('text'), text }),
  thought: fc.record({ type: is('thought'), subject: text, description: text }),
  tool: fc.record({ type: is('tool'), call }),
  citation: fc.record({ type: is('citation'), text }),
  usage: fc.record({ type: is('usage'), usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }) }),
  settings: fc.record(
    { type: is('settings'), model: text, approvalMode: text, userTier: text },
    { requiredKeys: ['type', 'model'] },
  ),
  log: fc.record({ type: is('log'), level: fc.constantFrom('info', 'error'), text }),
  error: fc.record({ type: is('error'), message: text }),
  artifact: fc.record(
    {
      type: is('artifact'),
      artifact: fc.record({ id: text, name: text, parts: fc.array(part, { minLength: 1, maxLength: 3 }) }),
      append: fc.boolean(),
      lastChunk: fc.boolean(),
    },
    { requiredKeys: ['type', 'artifact'] },
  ),
  reply: fc.record({ type: is('reply'), text }),
} satisfies { [T in EventBody['type']]: fc.Arbitrary<EventBody & { type: T }> };

const date = fc.date({ min: new Date(1), max: new Date('2100-01-01'), noInvalidDate: true });

/** Any event that a session can tell, of every type there is. */
export const anyEvent: fc.Arbitrary<SessionEvent> = stamped(fc.oneof(...Object.values(bodies)));

export const anyTextEvent = stamped(bodies.text);

function stamped<B extends EventBody>(body: fc.Arbitrary<B>) {
  return fc
    .tuple(body, fc.nat(), date)
    .map(([it, seq, at]) => ({ seq, at: at.toISOString(), sessionId: 'session-1', turnId: 'turn-1', ...it }));
}
