/**
 * The functions of the Gemini CLI that we tap. Their names have not changed since 0.28, over a year of releases; `npm
 * run compat` checks any other release.
 */
export const tappedNames = [
  'startInteractiveUI',
  'useMessageQueue',
  'useGeminiStream',
  'useSlashCommandProcessor',
] as const;
/** Optional: distinguishes a missing login from one in progress. */
const optionalNames = ['useAuthCommand'] as const;

export type TappedName = (typeof tappedNames)[number] | (typeof optionalNames)[number];

/** The key of the global function that receives the functions of the patched module. */
export const tapKey = 'cosession.tap';

/** The files that contain the user interface: one chunk in the bundled releases, one file per hook before 0.36. */
const uiFile = /\/(?:bundle\/interactiveCli-[\w-]+|dist\/src\/interactiveCli|dist\/src\/ui\/(?:hooks|auth)\/\w+)\.js$/;

export function isUiFile(url: string): boolean {
  return uiFile.test(url);
}

export type Source = string | ArrayBuffer | NodeJS.TypedArray;

/** The patched source of a module, in whatever form Node has it. */
export function patchSource(source: Source): string {
  return patch(typeof source === 'string' ? source : new TextDecoder().decode(source));
}

/**
 * Appends one statement per function found: `useX = tap("useX", useX)`. Module functions are ordinary bindings, and a
 * module's exports follow them, so this needs no syntax tree and every line of the original keeps its place.
 */
export function patch(source: string): string {
  let patched = source;
  const statements: string[] = [];
  for (const name of [...tappedNames, ...optionalNames]) {
    const declared = declarationOf(patched, name);
    if (!declared) continue;
    const { keywordAt, keyword } = declared;
    if (keyword === 'const') patched = `${patched.slice(0, keywordAt)}let${patched.slice(keywordAt + keyword.length)}`;
    statements.push(`${name} = tap(${JSON.stringify(name)}, ${name});`);
  }
  if (statements.length === 0) return source;
  return `${patched}\n;{ const tap = globalThis[Symbol.for(${JSON.stringify(tapKey)})]; if (tap) { ${statements.join(' ')} } }\n`;
}

/** Whether `patch` would find the function in this source. */
export function declares(source: string, name: TappedName): boolean {
  return declarationOf(source, name) !== undefined;
}

type Declaration = { readonly keyword: string; readonly keywordAt: number };

/** What may precede the name on the line that declares it. */
const beforeName = /^(?:export )?(?:(?<functions>(?:async )?function)|(?<variables>var|let|const)) $/;

/** Looks only at lines that contain the name: a regular expression over the whole file would take twenty times as long. */
function declarationOf(source: string, name: string): Declaration | undefined {
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + name.length)) {
    const lineStart = source.lastIndexOf('\n', at) + 1;
    const { functions, variables } = beforeName.exec(source.slice(lineStart, at))?.groups ?? {};
    const after = source.slice(at + name.length, at + name.length + 3);
    const keyword = functions !== undefined && /^\W/.test(after) ? functions : after === ' = ' ? variables : undefined;
    if (keyword !== undefined) return { keyword, keywordAt: source.indexOf(keyword, lineStart) };
  }
  return undefined;
}
