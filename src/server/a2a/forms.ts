import { isTurnEnd } from '../../domain/events.js';
import { toJsonV03 } from '../../protocols/a2a/json-v03.js';
import { toJson } from '../../protocols/a2a/json.js';
import { toProto, toProtoV03 } from '../../protocols/a2a/proto.js';
import { toRestJsonV03 } from '../../protocols/a2a/rest-json-v03.js';
import { isSettled } from '../../protocols/a2a/states.js';
import type { Update } from '../../protocols/a2a/updates.js';
import { Form } from './form.js';

/** What a transport writes: v0.3 marks the last event of a stream, and a send ends where a subscription goes on. */
export type Forms<T> = { readonly v1: Form<T>; readonly v03: Form<T>; readonly v03Send: Form<T> };

export function jsonRpcForms(): Forms<string> {
  return formsOf(toJson, toJsonV03);
}

export function restForms(): Forms<string> {
  return formsOf(toJson, toRestJsonV03);
}

export function grpcForms(): Forms<Buffer> {
  return formsOf(toProto, toProtoV03);
}

function formsOf<T>(v1: (update: Update) => T, v03: (update: Update, isFinal: boolean) => T): Forms<T> {
  return {
    v1: new Form(v1),
    v03: new Form((update) => v03(update, update.type === 'status' && isTurnEnd(update.state))),
    v03Send: new Form((update) => v03(update, update.type === 'status' && isSettled(update.state))),
  };
}
