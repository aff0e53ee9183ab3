import type { AgentCard, SendMessageRequest } from '@a2a-js/sdk';
import { extensionUri } from '../../../dialects/development-tool/extension.js';
import { originOf } from '../../http/caller.js';
import { checkMessage } from '../../endpoint/check-message.js';
import { need } from '../../guards/scopes.js';
import { wishesIn } from '../../endpoint/task-requests.js';
import type { Caller } from '../calls/caller.js';
import { isNamed } from '../calls/extension-check.js';
import { readMessage } from '../tasks/read-message.js';
import type { TaskRecord } from '../tasks/task-book.js';
import type { MessageTarget, TaskLibrary } from '../tasks/task-library.js';
import type { PushConfigs } from './push-configs.js';
import { pushWishes } from './push-wishes.js';

/** What a message has started or joined: events of this task from this cursor on are its answer. */
export type AcceptedMessage = {
  readonly task: TaskRecord;
  readonly after: number;
  readonly isExtended: boolean;
  /** What the sender calls the task's context. */
  readonly contextId: string;
  /** The same message was taken before: what follows is sent again. */
  readonly isRepeat: boolean;
};

type Agent = { readonly tasks: TaskLibrary; readonly push: PushConfigs; readonly card: AgentCard };

/** Hands a message to its task. Everything for which it can be refused is decided before anything is opened. */
export async function startMessage(
  params: SendMessageRequest,
  caller: Caller,
  { tasks, push, card }: Agent,
): Promise<AcceptedMessage> {
  const { principal, context } = caller;
  const message = readMessage(params, card.defaultInputModes);
  const origin = originOf(caller.client, principal);
  const check = (isAnswer: boolean): void =>
    checkMessage(principal, isAnswer ? { type: 'answer' } : { type: 'prompt', text: message.text });
  // What the message is decides what its sender must be allowed to do.
  let isAnswer = await tasks.isAnswer(message, origin);
  check(isAnswer);
  const named = isNamed(context, params.message);
  const pushConfig = params.configuration?.taskPushNotificationConfig;
  if (pushConfig) {
    need(principal, 'prompt');
    await push.check(pushConfig.url);
  }
  const wishes = { ...wishesIn(params.message?.metadata), owner: principal.id };
  const find = (): Promise<MessageTarget> =>
    tasks.target({ ...message, isAnswer }, named, { ...wishes, mustExist: isAnswer });
  let target = await find();
  // A task that was not in memory yet, as after a restart, may wait for an answer too.
  if (!isAnswer && (await tasks.isAnswer(message, origin))) {
    check((isAnswer = true));
    target = await find();
  }
  const { contextId, isExtended } = target;
  if (isExtended) context.addActivatedExtension(extensionUri);
  const after = target.session.seq;
  const { task, isRepeat } = await tasks.deliver(target, { ...message, isAnswer }, origin);
  await target.session.stored();
  const begin = isRepeat ? task.firstSeq - 1 : after;
  // A message that is sent again brings its webhook only if the first one was lost before that was stored.
  const isKnown = isRepeat && (await push.list(task)).some(({ url }) => url === pushConfig?.url);
  if (pushConfig && !isKnown) await push.create(task, pushConfig, pushWishes(context, isExtended), begin);
  // Whoever sends a message again has lost its answer: it is sent again, from where it was lost if that is known.
  const from = isRepeat ? (caller.lastEventId ?? begin) : after;
  return { task, contextId, isExtended, isRepeat, after: from };
}
