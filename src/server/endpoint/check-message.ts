import type { Principal } from '../../auth/principal.js';
import { checkText } from '../../session/accept-request.js';
import { need } from '../guards/scopes.js';

/** The part of a client's message that decides who may send it. */
type Asked = { readonly type: 'prompt'; readonly text: string } | { readonly type: 'answer' };

/**
 * Every check that is possible before the session is known, so a refused message opens and loads nothing. Every transport
 * reads the message, calls this, and only then finds or opens the session.
 */
export function checkMessage(principal: Principal, message: Asked): void {
  need(principal, message.type === 'prompt' ? 'prompt' : 'approve');
  if (message.type === 'prompt') checkText(message.text);
}
