/** What separates words. */
const gap = /[\s,`"';()|&[\]{}<>]/;
const run = /[^\s,`"';()|&[\]{}<>]+/g;

/**
 * Core warns if a word of a command comes from the output of a tool. For every command, it made a set of all words of all
 * outputs: 200 ms of a blocked event loop with 2 MB of outputs. This looks a word up in the outputs when somebody asks
 * for it, and has core's own rules decide only about the places where it stands.
 *
 * `wordsIn` is core's function, `untrusted` its expression for a text that is not trusted. The result takes its place.
 */
export function lookUpWords(wordsIn, untrusted) {
  /** Parts stay in the conversation, so what was found in one is remembered with it. */
  const known = new WeakMap();
  const textsIn = (part) => {
    const content = contentOf(part);
    if (!content) return [];
    const last = known.get(part);
    if (last?.content === content) return last.texts;
    const found = [...content.matchAll(untrusted)].map((match) => match[1].trim().replace(/\\/g, '/'));
    const texts = found.filter((text) => text !== '');
    known.set(part, { content, texts });
    return texts;
  };
  const wordsOf = (places) =>
    wordsIn([{ parts: [{ text: `<untrusted_context>${places.join('\n')}</untrusted_context>` }] }]).untrustedTokens;
  const hasWords = (text) => {
    for (const place of text.matchAll(run)) if (wordsOf(place).size > 0) return true;
    return false;
  };

  return (history) => {
    const untrustedTexts = (history ?? []).flatMap(({ parts }) => (parts ?? []).flatMap(textsIn));
    const untrustedTokens = {
      /** Core only asks whether there are any. */
      get size() {
        return Number(untrustedTexts.some(hasWords));
      },
      has: (word) =>
        untrustedTexts.some((text) => {
          const places = placesOf(word, text);
          return places.length > 0 && wordsOf(places).has(word);
        }),
    };
    return { untrustedTexts, untrustedTokens };
  };
}

function contentOf({ text, functionResponse }) {
  if (text) return text;
  const { output, content } = Object(functionResponse?.response);
  if (typeof output === 'string') return output;
  return typeof content === 'string' ? content : '';
}

const lately = new Map();

/** A command asks for several words at once, and nobody after it, so this is remembered until the end of the tick. */
export function lowerCase(text) {
  if (lately.size === 0) setImmediate(() => lately.clear());
  const lowered = lately.get(text) ?? text.toLowerCase();
  lately.set(text, lowered);
  return lowered;
}

/** Everything between two gaps that contains the word, in capitals or not. */
function placesOf(word, text) {
  const lowered = lowerCase(text);
  // Letters that become two in lower case move all others, and a sigma depends on what is next to it.
  if (lowered.length !== text.length || text.includes('Σ')) return [text];
  const places = [];
  // Less than two characters are a word only behind a dash.
  const needle = word.length > 1 ? word : `-${word}`;
  for (let at = lowered.indexOf(needle); at >= 0;) {
    let start = at;
    while (start > 0 && !gap.test(text[start - 1])) start--;
    let end = at + needle.length;
    while (end < text.length && !gap.test(text[end])) end++;
    places.push(text.slice(start, end));
    at = lowered.indexOf(needle, end);
  }
  return places;
}
