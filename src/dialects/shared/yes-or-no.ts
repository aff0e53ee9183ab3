const agreeing = wordSet('y yes yeah yep yup ok okay sure fine agree agreed approved confirmed accepted');
/** Words that mean yes, or no after a negation. */
const acting = wordSet('allow approve accept proceed continue confirm run execute go do');
const refusing = wordSet('n no nope nah deny denied reject rejected refuse refused decline declined cancel stop abort');
const negating = wordSet('dont not never');
/** Words that do not change the meaning. `always`, `all` and `session` are missing on purpose: they ask for more than a yes. */
const filling = wordSet(
  'please thanks thank you it this that i we once just only now ahead on for me mind the with command tool',
);

const maxWords = 12;

/**
 * Whether a text is a plain yes or no. Anything that says more, both, or something else is neither: an unclear text is never
 * taken as an approval. Pure.
 */
export function yesOrNo(text: string): 'yes' | 'no' | undefined {
  if (/[?\p{Extended_Pictographic}]/u.test(text)) return undefined;
  const words = plainWords(text)
    .replaceAll(/\bdo not\b/g, 'dont')
    .split(' ');
  if (words.length > maxWords) return undefined;
  const said = new Set<'yes' | 'no'>();
  let negation: 'none' | 'open' | 'used' = 'none';
  for (const word of words) {
    if (negating.has(word)) negation = 'open';
    else if (acting.has(word)) {
      said.add(negation === 'none' ? 'yes' : 'no');
      if (negation === 'open') negation = 'used';
    } else if (agreeing.has(word) || refusing.has(word)) {
      // "not sure", "don't stop"
      if (negation !== 'none') return undefined;
      said.add(agreeing.has(word) ? 'yes' : 'no');
    } else if (!filling.has(word)) return undefined;
  }
  if (negation === 'open') said.add('no');
  const [meaning, other] = said;
  return other === undefined ? meaning : undefined;
}

/** Normalises a text to words with one space between them: case, punctuation and whitespace do not matter. */
export function plainWords(text: string): string {
  const letters = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’‘`´]/g, '');
  return (letters.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).join(' ');
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
