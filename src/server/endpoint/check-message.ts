import type { Principal } from '../../auth/principal.js';
import { checkText } from '../../session/admission.js';
import { need } from '../guards/scopes.js';

/** What a client's message asks for, as far as it decides who may send it. */
type Asked = { readonly type: 'prompt'; readonly text: string } | { readonly type: 'answer' };

/**
 * All that can be said of a message before its session is looked for: a refused message opens and loads nothing. Every
 * transport reads the message, calls this, and only then finds or opens the session.
 */
export function checkMessage(principal: Principal, message: Asked): void {
  need(principal, message.type === 'prompt' ? 'prompt' : 'approve');
  if (message.type === 'prompt') checkText(message.text);
}
