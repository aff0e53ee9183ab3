import { useEffect, useRef, useState } from 'preact/hooks';
import { defined } from '../../util/defined.js';
import { ApiError, keepPageKey, post } from '../api.js';
import { keptName } from '../kept-name.js';
import type { ScreenProps } from '../screens.js';
import { Mark } from '../ui/mark.js';
import { pairWords } from '../words/pair.js';
import { appWords } from '../words/app.js';

const length = 8;

/** A browser that the server does not know enters a code; one from a link enters itself. */
export function PairScreen({ code: given = '', hasEnded, onPaired, onRefused }: ScreenProps['pair']) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | undefined>(hasEnded ? pairWords.ended : undefined);
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pair = async (code: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const name = keptName();
      const { page } = await post<{ page: string }>('ui/pair', { code, ...defined({ name }) });
      keepPageKey(page);
      onPaired();
    } catch (error) {
      if (onRefused && error instanceof ApiError) return onRefused();
      // A code that did not reach the server is still good.
      setTyped(error instanceof ApiError ? '' : code);
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  useEffect(() => {
    if (given !== '') void pair(cleaned(given));
  }, [given]);
  // A disabled input cannot have the focus.
  useEffect(() => {
    if (!isBusy) input.current?.focus();
  }, [isBusy]);
  const onType = (text: string) => {
    const code = cleaned(text);
    setTyped(code);
    if (code.length === length && !isBusy) void pair(code);
  };
  return (
    <main class="pair">
      <Mark size={40} />
      <h1>{pairWords.title}</h1>
      <p>{pairWords.type}</p>
      <kbd class="pair-command">
        <span aria-hidden="true">› </span>
        {pairWords.command}
      </kbd>
      <p>{pairWords.scan}</p>
      <form
        class="pair-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.length === length && !isBusy) void pair(typed);
        }}
      >
        <Slots code={typed} />
        <input
          ref={input}
          class="pair-input"
          value={typed}
          maxLength={40}
          disabled={isBusy}
          aria-label={pairWords.code}
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          onInput={(event) => onType(event.currentTarget.value)}
        />
        {problem === undefined ? (
          <p class="hint" role="status">
            {isBusy ? pairWords.busy : pairWords.hint}
          </p>
        ) : (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {problem !== undefined && typed.length === length && (
          <button type="submit" class="quiet">
            {appWords.retry}
          </button>
        )}
      </form>
      <footer class="mono hint">
        {location.host}
        {isSecureContext ? '' : ` · ${pairWords.notEncrypted}`}
      </footer>
    </main>
  );
}

/** What is typed, one character in each place. The real input lies over it. */
function Slots({ code }: { code: string }) {
  return (
    <div class="slots" aria-hidden="true">
      {Array.from({ length }, (_, index) => (
        <span key={index} class={index === code.length ? 'slot next' : 'slot'}>
          {code[index]}
        </span>
      ))}
    </div>
  );
}

function cleaned(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, length);
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return appWords.unreachable;
  if (error.status === 429) return pairWords.tooMany;
  return error.code === 'bad-code' ? pairWords.wrong : error.message;
}
