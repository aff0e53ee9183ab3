import { useState } from 'preact/hooks';
import { planWords as w } from '../words/plan.js';
import type { PlanStep } from './plan-in.js';

/** The agent's plan, above the input: how far it is and what it does now. It unfolds to all steps. */
export function PlanDock({ steps }: { steps: readonly PlanStep[] }) {
  const [isOpen, setOpen] = useState(false);
  const done = steps.filter(({ stand }) => stand === 'done').length;
  const current = steps.find(({ stand }) => stand === 'now') ?? steps.find(({ stand }) => stand === 'waits');
  return (
    <section class="plan" aria-label={w.label}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="node" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <b>{w.progress(done, steps.filter(({ stand }) => stand !== 'dropped').length)}</b>
        <span class="text">{current?.text}</span>
      </button>
      {isOpen && <Steps steps={steps} />}
    </section>
  );
}

const glyphs = { waits: '○', now: '•', done: '✓', dropped: '–' };

/** All steps of a plan, each with how it stands. */
export function Steps({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <ol class="steps">
      {steps.map(({ text, stand }, index) => (
        <li key={index} class={stand}>
          <span aria-hidden="true">{glyphs[stand]}</span>
          <span class="sr">{w.stands[stand]}: </span>
          {text}
        </li>
      ))}
    </ol>
  );
}
