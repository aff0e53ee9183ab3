/** RFC 6455's "going away". */
export const goneCode = 1001;
/** "Service restart": another server has already what this one had. */
export const movedCode = 1012;
