/** RFC 6455's "going away". */
export const goneCode = 1001;
/** "Service restart": another server already has the tasks of this one. */
export const movedCode = 1012;
