/** The words of the agent's plan. */
export const planWords = {
  label: 'Plan',
  progress: (done: number, all: number) => `Plan: ${done} of ${all}`,
  stands: { waits: 'to do', now: 'in progress', done: 'done', dropped: 'dropped' },
} as const;
