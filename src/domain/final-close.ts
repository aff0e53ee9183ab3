/**
 * The WebSocket close code for a session that clients need not come back to: it has ended, or its terminal no longer shares it.
 * The close reason says which. From RFC 6455's range for private use.
 */
export const finalCloseCode = 4000;

export const sessionEnded = 'the session has ended';
export const sharingStopped = 'sharing was switched off';
