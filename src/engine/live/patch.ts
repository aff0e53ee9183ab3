/**
 * The functions of the Gemini CLI we listen to. Their names have not changed since 0.28, over a year of releases;
 * `npm run compat` checks any other release.
 */
export const tappedNames = [
  'startInteractiveUI',
  'useMessageQueue',
  'useGeminiStream',
  'useSlashCommandProcessor',
] as const;
/** Nice to have: tells a login that is missing from one that is under way. */
const optionalNames = ['useAuthCommand'] as const;

export type TappedName = (typeof tappedNames)[number] | (typeof optionalNames)[number];

/** The key of the function, on the global object, that the patched module hands its functions to. */
export const tapKey = 'cosession.tap';

/** Files that hold the user interface: one chunk in the bundled releases, one file per hook before 0.36. */
const uiFile = /\/(?:bundle\/interactiveCli-[\w-]+|dist\/src\/interactiveCli|dist\/src\/ui\/(?:hooks|auth)\/\w+)\.js$/;

export function isUiFile(url: string): boolean {
  return uiFile.test(url);
}

/**
 * Appends one statement per function found: `useX = tap("useX", useX)`. Module functions are ordinary bindings, and
 * the exports of a module follow them, so no syntax tree is needed and every line of the original keeps its place.
 */
export function patch(source: string): string {
  let patched = source;
  const statements: string[] = [];
  for (const name of [...tappedNames, ...optionalNames]) {
    const declared = declarationOf(name).exec(patched);
    if (!declared) continue;
    if (declared.groups?.['keyword'] === 'const') {
      const at = declared.index + declared[0].indexOf('const');
      patched = `${patched.slice(0, at)}let${patched.slice(at + 'const'.length)}`;
    }
    statements.push(`${name} = tap(${JSON.stringify(name)}, ${name});`);
  }
  if (statements.length === 0) return source;
  return `${patched}\n;{ const tap = globalThis[Symbol.for(${JSON.stringify(tapKey)})]; if (tap) { ${statements.join(' ')} } }\n`;
}

/** Whether `patch` would find the function in this source. */
export function declares(source: string, name: TappedName): boolean {
  return declarationOf(name).test(source);
}

function declarationOf(name: string): RegExp {
  return new RegExp(`^(?:export )?(?:(?:async )?function ${name}\\b|(?<keyword>var|let|const) ${name} = )`, 'm');
}
