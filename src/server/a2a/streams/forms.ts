import { isTurnEnd } from '../../../domain/events.js';
import { toJsonV03 } from '../../../dialects/a2a/json-v03.js';
import { toJson } from '../../../dialects/a2a/json.js';
import { protoTextWriter, protoTextWriterV03 } from '../../../dialects/a2a/proto-text-writer.js';
import { toProto, toProtoV03 } from '../../../dialects/a2a/proto.js';
import { toRestJsonV03 } from '../../../dialects/a2a/rest-json-v03.js';
import { isSettled } from '../../../dialects/a2a/states.js';
import { jsonTextWriter } from '../../../dialects/a2a/text-writer.js';
import type { Update } from '../../../dialects/a2a/updates.js';
import { Form } from './form.js';

/** The forms of a transport. v0.3 marks the last event of a stream, and a send ends where a subscription continues. */
export type Forms<T extends { readonly length: number }> = {
  readonly v1: Form<T>;
  readonly v03: Form<T>;
  readonly v03Send: Form<T>;
};

export function jsonRpcForms(): Forms<string> {
  return jsonForms(toJsonV03);
}

export function restForms(): Forms<string> {
  return jsonForms(toRestJsonV03);
}

export function grpcForms(): Forms<Buffer> {
  return {
    v1: new Form({ write: toProto, textWriter: protoTextWriter }),
    ...formsOfV03((write) => new Form({ write, textWriter: protoTextWriterV03 }), toProtoV03),
  };
}

function jsonForms(toOldJson: (update: Update, isFinal: boolean) => string): Forms<string> {
  const formOf = (write: (update: Update) => string): Form<string> =>
    new Form({ write, textWriter: (options) => jsonTextWriter(write, options) });
  return { v1: formOf(toJson), ...formsOfV03(formOf, toOldJson) };
}

function formsOfV03<T extends { readonly length: number }>(
  formOf: (write: (update: Update) => T) => Form<T>,
  write: (update: Update, isFinal: boolean) => T,
): Omit<Forms<T>, 'v1'> {
  return {
    v03: formOf((update) => write(update, update.type === 'status' && isTurnEnd(update.state))),
    v03Send: formOf((update) => write(update, update.type === 'status' && isSettled(update.state))),
  };
}
