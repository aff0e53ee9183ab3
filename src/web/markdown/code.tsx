import { useState } from 'preact/hooks';
import { sessionWords } from '../words/session.js';
import { copy } from '../ui/copy.js';
import { highlight } from './highlight.js';

const shownMs = 1200;

export function Code({ text, language }: { text: string; language: string }) {
  const [isCopied, setCopied] = useState(false);
  const onCopy = async (): Promise<void> => {
    await copy(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <figure class="code">
      <figcaption>
        <span>{language || sessionWords.text}</span>
        <button type="button" onClick={() => void onCopy()}>
          {isCopied ? sessionWords.copied : sessionWords.copy}
        </button>
      </figcaption>
      <pre tabIndex={0}>{language === '' || language === 'text' ? text : highlight(text)}</pre>
    </figure>
  );
}
