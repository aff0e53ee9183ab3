// Turns bundled modules into scripts: Node 20 keeps compiled code of scripts only (src/boot/load-script.ts).
import { readFileSync, writeFileSync } from 'node:fs';
import { transform } from 'esbuild';

/** esbuild splits a bundle only into modules, so each file that it wrote is translated afterwards, in its place. */
export async function asScripts({ outputs }) {
  await Promise.all(
    Object.keys(outputs)
      .filter((file) => file.endsWith('.cjs'))
      .map(asScript),
  );
}

async function asScript(file) {
  const { code } = await transform(readFileSync(file, 'utf8'), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    legalComments: 'none',
    define: { 'import.meta.url': 'importMetaUrl' },
    // A script loads others with require only.
    supported: { 'dynamic-import': false },
    // Nothing else of `import.meta` exists there.
    logOverride: { 'empty-import-meta': 'error' },
    logLevel: 'error',
  });
  if (/\b(var|let|const) require=/.test(code)) throw new Error(`${file}: hides the require of the script`);
  // The parameters of src/boot/load-script.ts. Modules are always strict.
  const script = `(function(exports,require,module,__filename,__dirname,importMetaUrl){"use strict";${code}})`;
  writeFileSync(file, asAscii(script));
}

/** V8 needs half the memory for text in ASCII. Only regular expressions are left with other characters. */
function asAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}
