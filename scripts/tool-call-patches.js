import { fileURLToPath } from 'node:url';

/** The part of `core-patches.js` that makes a tool call's question come soon. */
export const toolCallPatches = [
  // Core parsed the same command eight times in a turn, most of them before it asked about it.
  {
    file: /gemini-cli-core\/dist\/src\/utils\/shell-utils\.js$/,
    changes: [
      [
        `export function parseBashCommandDetails(command) {
    if (treeSitterInitializationError) {`,
        `const lately = new Map();
function onceFor(command, question, find) {
    // What takes megabytes is not kept.
    if (command.length > 10_000) return find(command);
    const key = question + command;
    let found = lately.get(key);
    if (found === undefined) {
        found = find(command);
        if (lately.size === 20) lately.delete(lately.keys().next().value);
        // Without an answer, the next try may find one: the parser was not loaded yet, or took too long.
        if (found !== null) lately.set(key, found);
    }
    return found;
}
export function parseBashCommandDetails(command) {
    const found = onceFor(command, 'details of ', parseDetails);
    // Each caller gets its own.
    return found && {
        ...found,
        details: found.details.map((detail) => (detail.args ? { ...detail, args: [...detail.args] } : { ...detail })),
    };
}
function parseDetails(command) {
    if (treeSitterInitializationError) {`,
      ],
      [
        `    if (configuration.shell === 'bash' && bashLanguage) {
        const tree = parseCommandTree(command);
        if (!tree)
            return fallbackCheck();
        const stack = [tree.rootNode];`,
        `    if (configuration.shell === 'bash' && bashLanguage) {
        return onceFor(command, 'redirection in ', findRedirection) ?? fallbackCheck();
    }
    return fallbackCheck();
}
function findRedirection(command) {
        const tree = parseCommandTree(command);
        if (!tree)
            return null;
        const stack = [tree.rootNode];`,
      ],
      [
        `                if (child)
                    stack.push(child);
            }
        }
        return false;
    }
    return fallbackCheck();
}`,
        `                if (child)
                    stack.push(child);
            }
        }
        return false;
}`,
      ],
    ],
  },
  // Core made a set of all words of all outputs for every command, twice: see `untrusted-words.js`.
  {
    file: /gemini-cli-core\/dist\/src\/utils\/untrustedContextTracker\.js$/,
    changes: [
      [
        `import { getCommandRoots } from './shell-utils.js';`,
        `import { getCommandRoots } from './shell-utils.js';
import { lookUpWords, lowerCase } from ${JSON.stringify(fileURLToPath(new URL('./untrusted-words.js', import.meta.url)))};`,
      ],
      [
        `export function extractUntrustedContext(history) {`,
        `export const extractUntrustedContext = lookUpWords(wordsIn, UNTRUSTED_CONTEXT_REGEX);
function wordsIn(history) {`,
      ],
      [
        `if (text.toLowerCase().includes(normalizedLowerToken)) {`,
        `if (lowerCase(text).includes(normalizedLowerToken)) {`,
      ],
    ],
  },
  // Core loaded its parser of commands, 10 MB, with the first task. Now the first command does: the policy waits for it before it
  // decides, and so does the question, which would otherwise not know the names of the commands.
  {
    file: /gemini-cli-core\/dist\/src\/tools\/shell\.js$/,
    changes: [
      [
        `        void initializeShellParsers().catch(() => {
            // Errors are surfaced when parsing commands.
        });
`,
        '',
      ],
      [
        `    async shouldConfirmExecute(abortSignal, forcedDecision) {
`,
        `    async shouldConfirmExecute(abortSignal, forcedDecision) {
        await initializeShellParsers();
`,
      ],
    ],
  },
  // Core decides about a call, and a moment later once more whether to ask about it. It is the same question if nothing that the
  // answer depends on has changed, which is sure only within a turn of the event loop.
  {
    file: /gemini-cli-core\/dist\/src\/policy\/policy-engine\.js$/,
    changes: [
      [
        `    async check(toolCall, serverName, toolAnnotations, subagent, skipHeuristics = false) {
`,
        `    async check(toolCall, serverName, toolAnnotations, subagent, skipHeuristics = false) {
        const { name, args } = toolCall;
        const { approvalMode, rules, checkers, lately } = this;
        const asked = [name, args, serverName, toolAnnotations, subagent, skipHeuristics];
        const question = [...asked, approvalMode, rules, rules.length, checkers, checkers.length];
        if (lately && question.every((value, index) => value === lately.question[index])) return { ...lately.answer };
        const answer = await this.decide(toolCall, serverName, toolAnnotations, subagent, skipHeuristics);
        this.lately = { question, answer };
        setImmediate(() => (this.lately = undefined));
        return answer;
    }
    async decide(toolCall, serverName, toolAnnotations, subagent, skipHeuristics) {
`,
      ],
    ],
  },
  // For every tool call, core made a copy of the whole conversation for its safety checkers. The only one that reads it is off
  // by default, and serialised it for a log that nobody keeps before it looked whether it is on.
  {
    file: /gemini-cli-core\/dist\/src\/safety\/context-builder\.js$/,
    changes: [
      [
        `    buildFullContext() {
        const clientHistory`,
        `    buildFullContext() {
        let turns;
        const findTurns = () => this.findTurns();
        return {
            environment: {
                cwd: process.cwd(),
                workspaces: this.context.config
                    .getWorkspaceContext()
                    .getDirectories(),
            },
            history: {
                get turns() {
                    return (turns ??= findTurns());
                },
            },
        };
    }
    findTurns() {
        const clientHistory`,
      ],
      [
        `        return {
            environment: {
                cwd: process.cwd(),
                // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion
                workspaces: this.context.config
                    .getWorkspaceContext()
                    .getDirectories(),
            },
            history: {
                turns: history,
            },
        };`,
        `        return history;`,
      ],
    ],
  },
  {
    file: /gemini-cli-core\/dist\/src\/safety\/conseca\/conseca\.js$/,
    changes: [
      [
        '        debugLogger.debug(`[Conseca] check called. History is: ${JSON.stringify(input.context.history)}`);\n',
        '',
      ],
    ],
  },
  // A storage that was used once slows down every promise of the process on Node 20, until it is disabled.
  ...['toolCallContext', 'promptIdContext'].map((name) => ({
    file: new RegExp(`gemini-cli-core/dist/src/utils/${name}\\.js$`),
    changes: [
      [
        `import { AsyncLocalStorage } from 'node:async_hooks';`,
        `import { AsyncLocalStorage } from 'node:async_hooks';
class RestingStorage extends AsyncLocalStorage {
    inside = 0;
    run(store, callback) {
        this.inside++;
        const leave = () => {
            if (--this.inside === 0) this.disable();
        };
        let result;
        try {
            result = super.run(store, callback);
        }
        catch (error) {
            leave();
            throw error;
        }
        if (result instanceof Promise) result.then(leave, leave);
        else leave();
        return result;
    }
}`,
      ],
      [`const ${name} = new AsyncLocalStorage();`, `const ${name} = new RestingStorage();`],
    ],
  })),
];
