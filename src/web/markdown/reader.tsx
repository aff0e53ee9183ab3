import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChild } from 'preact';
import { memo } from '../ui/memo.js';
import { sessionWords } from '../words/session.js';
import { Code } from './code.js';
import { inline } from './inline.js';

/** Without extensions. Only the lexer of `marked` is used: it reads, and makes no HTML. */
export { lexer };

/** A block of markdown as elements. There is no way from text to HTML: what is no known token is shown as it was written. */
export const MarkdownBlock = memo(({ token }: { token: Token }) => <>{block(token)}</>);

function block(given: Token): ComponentChild {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the lexer has no extensions, so it makes only these
  const token = given as MarkedToken;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <h2>{inline(token.tokens)}</h2>;
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text;
    case 'code':
      return <Code text={token.text} language={token.lang ?? ''} />;
    case 'blockquote':
      return <blockquote>{token.tokens.map(block)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'list':
      return list(token);
    case 'table':
      return table(token);
    default:
      return <p>{token.raw}</p>;
  }
}

function list({ ordered, start, items }: Tokens.List): ComponentChild {
  const drawn = items.map(({ task, checked, tokens }) => (
    <li>
      {task ? `${checked ? '☑' : '☐'} ` : ''}
      {tokens.filter(({ type }) => type !== 'checkbox').map(block)}
    </li>
  ));
  return ordered ? <ol start={start || 1}>{drawn}</ol> : <ul>{drawn}</ul>;
}

function table({ header, rows }: Tokens.Table): ComponentChild {
  return (
    <div class="table" tabIndex={0} role="group" aria-label={sessionWords.table}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }) => (
              <th scope="col">{inline(tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map(({ tokens }) => (
                <td>{inline(tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
