import type { Artifact, ArtifactPart } from '../../domain/events.js';
import { contentOf, toEventMetadata } from '../development-tool/to-wire.js';
import { roleAgent, toArtifact, toArtifactV03, toPart, toPartV03 } from './proto.js';
import { bool, type Bytes, int, nested, structField, structFields, text, timestamp, toBuffer } from './proto-writer.js';
import { toTaskState } from './states.js';
import type { TextWriter } from './text-writer.js';
import { answerArtifact, type UpdateOptions } from './updates.js';

/** Writes text events as `toProto` does. Pure. */
export function protoTextWriter(options: UpdateOptions): TextWriter<Buffer> {
  return options.isExtended ? statusWriter(options, toPart, 4) : answerWriter(options, toArtifact);
}

/** Writes text events as `toProtoV03` does. Pure. */
export function protoTextWriterV03(options: UpdateOptions): TextWriter<Buffer> {
  return options.isExtended ? statusWriter(options, toPartV03, 5) : answerWriter(options, toArtifactV03);
}

function answerWriter(
  { taskId, contextId }: UpdateOptions,
  artifact: (artifact: Artifact) => Bytes,
): TextWriter<Buffer> {
  const ids = text(1, taskId) + text(2, contextId);
  const append = bool(4, true);
  return ({ text: said }) => toBuffer(nested(4, ids + nested(3, artifact(answerArtifact(said))) + append));
}

function statusWriter(
  { taskId, contextId, agent }: UpdateOptions,
  part: (part: ArtifactPart) => Bytes,
  metadataField: number,
): TextWriter<Buffer> {
  const ids = text(1, taskId) + text(2, contextId);
  const speaker = text(2, contextId) + text(3, taskId) + int(4, roleAgent);
  const working = int(1, toTaskState('working'));
  const sample = { type: 'text', text: '', seq: 0, at: '', sessionId: contextId } as const;
  const { seq: _changes, ...constant } = toEventMetadata(sample, contentOf(sample), agent);
  const metadata = structFields(constant);
  let time = { at: '', bytes: '' };
  return ({ seq, at, text: said }) => {
    if (at !== time.at) time = { at, bytes: timestamp(3, at) };
    const content = nested(5, part({ kind: 'text', text: said }));
    const message = nested(2, text(1, `${taskId}-${seq}`) + speaker + content);
    const status = nested(3, working + message + time.bytes);
    return toBuffer(nested(3, ids + status + nested(metadataField, metadata + structField('seq', seq))));
  };
}
