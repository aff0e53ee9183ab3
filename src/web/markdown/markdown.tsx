import { useEffect, useRef, useState } from 'preact/hooks';
import { readable } from '../ui/readable.js';
import { lexMore, nothingLexed } from './lex.js';
import type * as Reader from './reader.js';

/** Loaded after the first paint; until then, text is plain text. */
let reader: typeof Reader | undefined;

async function load(): Promise<void> {
  // The browser loads a file once, however often it is imported.
  reader ??= await import('./reader.js');
}

export function Markdown({ text: said, isLive }: { text: string; isLive: boolean }) {
  const text = readable(said);
  const [, setLoaded] = useState(false);
  const lexed = useRef(nothingLexed);
  useEffect(() => {
    // If it cannot be loaded, text stays plain.
    if (!reader)
      void load().then(
        () => setLoaded(true),
        () => {},
      );
  }, []);
  if (!reader) return <div class="md raw">{text}</div>;
  const { lexer, MarkdownBlock } = reader;
  lexed.current = lexMore(lexed.current, text, lexer);
  const { done, rest } = lexed.current;
  return (
    <div class={isLive ? 'md live' : 'md'}>
      {[...done, ...rest].map((token, index) => (
        <MarkdownBlock key={index} token={token} />
      ))}
    </div>
  );
}
