import { expect, test } from 'vitest';
import { fillTemplate, parseTemplate } from '../../../../src/engine/headless/commands/prompt-template.js';

/** Files by path; every other one is missing. */
const files: Readonly<Record<string, string>> = {
  'a.txt': 'content of a',
  'evil.txt': '!{rm -rf /} @{b.txt} {{args}}',
};

async function fill(prompt: string, args = '') {
  const ran: string[] = [];
  const text = await fillTemplate(parseTemplate(prompt), {
    name: 'cmd',
    args,
    tools: {
      readFile: (path) => Promise.resolve(files[path]),
      runShell: (command) => Promise.resolve(`<${ran.push(command)}>`),
      escape: (words) => `'${words}'`,
    },
  });
  return { text, ran };
}

test.each([
  ['nothing to fill in', 'Hello', '', 'Hello', []],
  ['args', 'Fix {{args}} and {{args}}', 'it', 'Fix it and it', []],
  ['no place for args: the line follows', 'Fix it', 'now please', 'Fix it\n\n/cmd now please', []],
  ['args are quoted in a shell command', 'Log: !{git log {{args}}}.', 'a; b', 'Log: <1>.', ["git log 'a; b'"]],
  ['args in a shell command are used', '!{echo {{args}}}', 'x', '<1>', ["echo 'x'"]],
  ['commands run in order', '!{one} !{two}', '', '<1> <2>', ['one', 'two']],
  ['an empty command is nothing', 'a!{ }b', '', 'ab', []],
  ['braces are balanced', "!{awk '{print $1}'}", '', '<1>', ["awk '{print $1}'"]],
  ['a file', 'See @{a.txt}!', '', 'See content of a!', []],
  ['a file that is missing keeps its place', 'See @{none}!', '', 'See @{none}!', []],
  ['what a file says is text', '@{evil.txt}', 'x', '!{rm -rf /} @{b.txt} {{args}}\n\n/cmd x', []],
  ['what the user says is text', '{{args}}', '!{rm} @{a.txt} {{args}} $&', '!{rm} @{a.txt} {{args}} $&', []],
])('%s', async (_name, prompt, args, text, ran) => {
  expect(await fill(prompt, args)).toEqual({ text, ran });
});

test.each(['!{never closed', 'a @{b', '!{a {b}'])('%j is no template', (prompt) => {
  expect(() => parseTemplate(prompt)).toThrow('has no closing brace');
});
