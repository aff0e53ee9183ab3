/** The part of `core-patches.js` that makes opening a session cheap. */
export const openingPatches = [
  // Core read its own skills from the disk, and parsed them, for every session.
  {
    file: /gemini-cli-core\/dist\/src\/skills\/skillManager\.js$/,
    changes: [
      [
        `        const builtinSkills = await loadSkillsFromDir(builtinDir);
        for (const skill of builtinSkills) {
            skill.isBuiltin = true;
        }
        this.addSkillsWithPrecedence(builtinSkills);`,
        `        const builtinSkills = SkillManager.builtinSkills ?? (await loadSkillsFromDir(builtinDir));
        if (builtinSkills.length > 0) SkillManager.builtinSkills = builtinSkills;
        // A session changes its own copies.
        this.addSkillsWithPrecedence(builtinSkills.map((skill) => ({ ...skill, isBuiltin: true })));`,
      ],
    ],
  },
  // Whether a file is there was asked of a thread, one file after another: thirty times for a session, each a wait for the
  // thread and for the event loop. Asking in this tick takes microseconds.
  {
    file: /gemini-cli-core\/dist\/src\/skills\/skillLoader\.js$/,
    changes: [
      [
        `import * as fs from 'node:fs/promises';`,
        `import * as fs from 'node:fs/promises';
import { statSync } from 'node:fs';`,
      ],
      [
        `        const stats = await fs.stat(absoluteSearchPath).catch(() => null);
        if (!stats || !stats.isDirectory()) {
            return [];
        }`,
        `        try {
            if (!statSync(absoluteSearchPath, { throwIfNoEntry: false })?.isDirectory()) return [];
        }
        catch {
            return [];
        }`,
      ],
    ],
  },
  {
    file: /gemini-cli-core\/dist\/src\/agents\/agentLoader\.js$/,
    changes: [
      [`import {} from 'node:fs';`, `import { readdirSync } from 'node:fs';`],
      [
        `        dirEntries = await fs.readdir(dir, { withFileTypes: true });`,
        `        dirEntries = readdirSync(dir, { withFileTypes: true });`,
      ],
    ],
  },
  {
    file: /gemini-cli-core\/dist\/src\/tools\/ripGrep\.js$/,
    changes: [[`            if (await fileExists(candidate)) {`, `            if (fs.existsSync(candidate)) {`]],
  },
  {
    file: /gemini-cli-core\/dist\/src\/utils\/memoryDiscovery\.js$/,
    changes: [
      [`                await fs.access(markerPath);`, `                fsSync.accessSync(markerPath);`],
      [
        `            await fs.access(globalPath, fsSync.constants.R_OK);`,
        `            fsSync.accessSync(globalPath, fsSync.constants.R_OK);`,
      ],
      [
        `        await fs.access(preferredMemoryPath, fsSync.constants.R_OK);`,
        `        fsSync.accessSync(preferredMemoryPath, fsSync.constants.R_OK);`,
      ],
      [
        `            await fs.access(legacyMemoryPath, fsSync.constants.R_OK);`,
        `            fsSync.accessSync(legacyMemoryPath, fsSync.constants.R_OK);`,
      ],
      [
        `                await fs.access(potentialPath, fsSync.constants.R_OK);
                return potentialPath;`,
        `                fsSync.accessSync(potentialPath, fsSync.constants.R_OK);
                return potentialPath;`,
      ],
    ],
  },
  {
    file: /gemini-cli-core\/dist\/src\/config\/config\.js$/,
    changes: [
      [`                await fs.promises.access(plansDir);`, `                fs.accessSync(plansDir);`],
      // A log of retrieved snippets, which we never turn on, had its folder made for every session.
      [`        ragLogger.initialize(this.storage.getProjectTempLogsDir());`, ``],
    ],
  },
  // To look for a program, every folder of the path was asked with an exception.
  {
    file: /gemini-cli-core\/dist\/src\/utils\/shell-utils\.js$/,
    changes: [
      [
        `    try {
        fs.accessSync(filePath, fs.constants.X_OK);`,
        `    if (!fs.existsSync(filePath)) return false;
    try {
        fs.accessSync(filePath, fs.constants.X_OK);`,
      ],
    ],
  },
  // Core copied every rule for every tool. The rules are the same for all tools.
  {
    file: /gemini-cli-core\/dist\/src\/policy\/policy-engine\.js$/,
    changes: [
      [
        `        for (const toolName of allToolNames) {
            const annotations = toolMetadata?.get(toolName);`,
        `        const rulesWithoutArgs = new Map(this.rules.map((rule) => [rule, { ...rule, argsPattern: undefined }]));
        for (const toolName of allToolNames) {
            const annotations = toolMetadata?.get(toolName);`,
      ],
      [
        `                const ruleWithoutArgs = { ...rule, argsPattern: undefined };
                const toolCall = { name: toolName, args: {} };
                const appliesToTool = ruleMatches(ruleWithoutArgs,`,
        `                const ruleWithoutArgs = rulesWithoutArgs.get(rule);
                const toolCall = { name: toolName, args: {} };
                const appliesToTool = ruleMatches(ruleWithoutArgs,`,
      ],
    ],
  },
  // gRPC, a tenth of core, is loaded with the first remote agent.
  {
    file: /gemini-cli-core\/dist\/src\/agents\/a2a-client-manager\.js$/,
    changes: [
      [
        `import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import * as grpc from '@grpc/grpc-js';
`,
        ``,
      ],
      [
        `        const clientOptions = ClientFactoryOptions.createFrom(`,
        `        const [{ GrpcTransportFactory }, { default: grpc }] = await Promise.all([
            import('@a2a-js/sdk/client/grpc'),
            import('@grpc/grpc-js'),
        ]);
        const clientOptions = ClientFactoryOptions.createFrom(`,
      ],
    ],
  },
  // Making a formatter takes ten times as long as formatting.
  {
    file: /gemini-cli-core\/dist\/src\/utils\/environmentContext\.js$/,
    changes: [
      [
        `    const today = new Date().toLocaleDateString(undefined, {
        weekday: 'long',
        year: 'numeric',
        month: 'long',
        day: 'numeric',
    });`,
        `    const today = (dateFormat ??= new Intl.DateTimeFormat(undefined, {
        weekday: 'long',
        year: 'numeric',
        month: 'long',
        day: 'numeric',
    })).format();`,
      ],
      [
        `export const INITIAL_HISTORY_LENGTH = 1;`,
        `export const INITIAL_HISTORY_LENGTH = 1;
let dateFormat;`,
      ],
    ],
  },
];
