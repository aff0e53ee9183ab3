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

/** The task that a message started or joined. The response is the events of this task after the cursor. */
export type AcceptedMessage = {
  readonly task: TaskRecord;
  readonly after: number;
  readonly isExtended: boolean;
  /** The sender's name for the task's context. */
  readonly contextId: string;
  /** The same message was accepted before, so its events are sent again. */
  readonly isRepeat: boolean;
};

type Agent = { readonly tasks: TaskLibrary; readonly push: PushConfigs; readonly card: AgentCard };

/** Hands a message to its task. All checks come before anything is opened. */
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
  // Prompts and answers need different scopes.
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
  // A task that was not in memory, for example after a restart, may also wait for an answer.
  if (!isAnswer && (await tasks.isAnswer(message, origin))) {
    check((isAnswer = true));
    target = await find();
  }
  const { contextId, isExtended } = target;
  if (isExtended) context.addActivatedExtension(extensionUri);
  const after = target.session.seq;
  const { task, isRepeat } = await tasks.deliver(target, { ...message, isAnswer }, origin);
  const begin = isRepeat ? task.firstSeq - 1 : after;
  // A repeated message registers its webhook only if the first attempt was lost before the webhook was stored.
  const isKnown = isRepeat && (await push.list(task, principal)).some(({ url }) => url === pushConfig?.url);
  if (pushConfig && !isKnown) await push.create(task, pushConfig, pushWishes(caller, isExtended), begin);
  // A client that repeats a message has lost the response. Send it again, from where it was lost if that is known.
  const from = isRepeat ? (caller.lastEventId ?? begin) : after;
  return { task, contextId, isExtended, isRepeat, after: from };
}
