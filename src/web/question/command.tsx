import { reveal } from '../../util/text/reveal.js';
import { stepsOf } from './steps.js';

/** A whole command, one step a line. Characters that cannot be seen are written out. */
export function CommandLines({ command }: { command: string }) {
  return (
    <ol class="cmd">
      {stepsOf(command).map((step, index) => (
        <li key={index}>
          <code>{reveal(step.trim())}</code>
        </li>
      ))}
    </ol>
  );
}
