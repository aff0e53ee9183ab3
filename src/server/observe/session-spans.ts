import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { isTurnEnd, type SessionEvent } from '../../domain/events.js';
import { isFinal, type ToolCall } from '../../domain/tool-call.js';
import type { Session } from '../../session/session.js';
import { RecentMap } from '../../util/recent-map.js';
import { requestTrace } from './request-spans.js';

type TurnSpan = { readonly span: Span; inputTokens: number; outputTokens: number };
type CallSpan = { readonly span: Span; waitsSince?: number; runsSince?: number };

/** A session has more open spans only if questions stay unanswered. The oldest are then not reported. */
const maxOpen = 1000;

/** A span per turn, with a child span per tool call. Names, states and figures; never a prompt, an argument or a result. */
export function traceSession(tracer: Tracer, session: Session): void {
  const callers = new RecentMap<string, Context>(maxOpen);
  const turns = new RecentMap<string, TurnSpan>(maxOpen);
  const calls = new RecentMap<string, CallSpan>(maxOpen);
  const attributes = { 'cosession.task.id': session.id };

  function turnOf(id: string): TurnSpan {
    const known = turns.get(id);
    if (known) return known;
    const options = { attributes: { ...attributes, 'cosession.turn.id': id } };
    const turn = {
      span: tracer.startSpan('turn', options, callers.get(id) ?? ROOT_CONTEXT),
      inputTokens: 0,
      outputTokens: 0,
    };
    turns.set(id, turn);
    return turn;
  }

  function endTurn(id: string, state: string, error: string | undefined): void {
    const { span, inputTokens, outputTokens } = turnOf(id);
    span.setAttributes({
      'cosession.turn.state': state,
      'gen_ai.request.model': session.agent.model,
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
    });
    if (state === 'failed')
      span.setStatus({ code: SpanStatusCode.ERROR, ...(error !== undefined && { message: error }) });
    span.end();
    turns.delete(id);
    callers.delete(id);
  }

  function callOf({ id, name }: ToolCall, turnId: string): CallSpan {
    const known = calls.get(id);
    if (known) return known;
    const below = trace.setSpan(ROOT_CONTEXT, turnOf(turnId).span);
    const names = { 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': id };
    const call = { span: tracer.startSpan(`execute_tool ${name}`, { attributes: { ...attributes, ...names } }, below) };
    calls.set(id, call);
    return call;
  }

  function onTool(call: ToolCall, turnId: string): void {
    const known = callOf(call, turnId);
    const { span } = known;
    const now = performance.now();
    if (call.status === 'waiting') known.waitsSince ??= now;
    else if (known.waitsSince !== undefined) {
      span.setAttribute('cosession.approval.wait_ms', Math.round(now - known.waitsSince));
      if (call.resolution) span.setAttribute('cosession.approval.outcome', call.resolution.optionId);
      delete known.waitsSince;
    }
    if (call.status === 'executing') known.runsSince ??= now;
    if (!isFinal(call)) return;
    span.setAttribute('cosession.tool.status', call.status);
    if (known.runsSince !== undefined) span.setAttribute('cosession.tool.run_ms', Math.round(now - known.runsSince));
    if (call.status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    calls.delete(call.id);
  }

  function onEvent(event: SessionEvent): void {
    const { turnId } = event;
    if (turnId === undefined) return;
    switch (event.type) {
      case 'prompt': {
        const caller = requestTrace.getStore();
        if (caller && !callers.has(turnId)) callers.set(turnId, caller);
        return;
      }
      case 'turn':
        if (isTurnEnd(event.state)) endTurn(turnId, event.state, event.error);
        else if (event.state === 'working') turnOf(turnId);
        return;
      case 'usage': {
        const turn = turnOf(turnId);
        turn.inputTokens += event.usage.inputTokens ?? 0;
        turn.outputTokens += event.usage.outputTokens ?? 0;
        return;
      }
      case 'tool':
        return onTool(event.call, turnId);
      default:
    }
  }

  const from = session.seq;
  session.observe((event) => event.seq > from && onEvent(event));
}
