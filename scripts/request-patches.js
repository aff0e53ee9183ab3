/** Names that differ between the two places that ask for a stream. */
const streamedRequests = [
  { options: '_a', signal: '_b', error: 'e_2' },
  { options: '_c', signal: '_d', error: 'e_3' },
];

const streamedRequest = (serialise, { options, signal, error }, more = '') => `                body: ${serialise}(body),
                httpMethod: 'POST',
                httpOptions: (${options} = params.config) === null || ${options} === void 0 ? void 0 : ${options}.httpOptions,
                abortSignal: (${signal} = params.config) === null || ${signal} === void 0 ? void 0 : ${signal}.abortSignal,${more}
            });
            return response.then(function (apiResponse) {
                return __asyncGenerator(this, arguments, function* () {
                    var _a, ${error}, _b, _c;`;

/** The part of `core-patches.js` about what is the same in every request to the model: 50 KB that were made anew each time. */
export const requestPatches = [
  // A declaration that depends on nothing, or on a few values, is the same object each time, in all sessions. Core never
  // changes one: most of them are constants. The schema of the skills was made with zod.
  {
    file: /gemini-cli-core\/dist\/src\/tools\/definitions\/dynamic-declaration-helpers\.js$/,
    changes: [
      [
        `export function getShellDeclaration(enableInteractiveShell, enableEfficiency, enableToolSandboxing = false) {
`,
        `function remembered(make) {
    const known = new Map();
    return (...given) => {
        const key = JSON.stringify(given);
        if (!known.has(key)) {
            if (known.size === 20) known.clear();
            known.set(key, make(...given));
        }
        return known.get(key);
    };
}
export const getShellDeclaration = remembered(shellDeclaration);
function shellDeclaration(enableInteractiveShell, enableEfficiency, enableToolSandboxing = false) {
`,
      ],
      [
        `export function getExitPlanModeDeclaration() {
`,
        `export const getExitPlanModeDeclaration = remembered(exitPlanModeDeclaration);
function exitPlanModeDeclaration() {
`,
      ],
      [
        `export function getActivateSkillDeclaration(skillNames) {
`,
        `export const getActivateSkillDeclaration = remembered(activateSkillDeclaration);
function activateSkillDeclaration(skillNames) {
`,
      ],
    ],
  },
  {
    file: /gemini-cli-core\/dist\/src\/tools\/definitions\/resolver\.js$/,
    changes: [
      [
        `    return {
        ...definition.base,
        ...override,
    };
}`,
        `    const { base } = definition;
    const known = merged.get(base) ?? new WeakMap();
    merged.set(base, known);
    if (!known.has(override)) known.set(override, { ...base, ...override });
    return known.get(override);
}
const merged = new WeakMap();`,
      ],
    ],
  },
  {
    file: /gemini-cli-core\/dist\/src\/tools\/tools\.js$/,
    changes: [
      [
        `    getSchema(_modelId) {
        return {
            name: this.name,
            description: this.description,
            parametersJsonSchema: this.addWaitForPreviousParameter(this.parameterSchema),
        };
    }`,
        `    getSchema(_modelId) {
        const { name, description, parameterSchema } = this;
        const last = lastSchemas.get(this);
        if (last?.parameterSchema === parameterSchema && last.schema.name === name && last.schema.description === description)
            return last.schema;
        const schema = {
            name,
            description,
            parametersJsonSchema: this.addWaitForPreviousParameter(parameterSchema),
        };
        lastSchemas.set(this, { parameterSchema, schema });
        return schema;
    }`,
      ],
      [
        `export class DeclarativeTool {
`,
        `const lastSchemas = new WeakMap();
export class DeclarativeTool {
`,
      ],
    ],
  },
  // The settings of a model were merged three times for each request. They change with the overrides of this run.
  {
    file: /gemini-cli-core\/dist\/src\/services\/modelConfigService\.js$/,
    changes: [
      [
        `        const resolved = this.internalGetResolvedConfig(context);
        if (!resolved.model) {`,
        `        const key = JSON.stringify(context);
        if (this.resolved.size === 20) this.resolved.clear();
        const resolved = this.resolved.get(key) ?? this.internalGetResolvedConfig(context);
        this.resolved.set(key, resolved);
        if (!resolved.model) {`,
      ],
      [
        `            model: resolved.model,
            generateContentConfig: resolved.generateContentConfig,
        };
    }
    static isObject(item) {`,
        `            model: resolved.model,
            generateContentConfig: { ...resolved.generateContentConfig },
        };
    }
    static isObject(item) {`,
      ],
      [
        `    runtimeAliases = {};
`,
        `    runtimeAliases = {};
    resolved = new Map();
`,
      ],
      [
        `        this.runtimeAliases[aliasName] = alias;
`,
        `        this.runtimeAliases[aliasName] = alias;
        this.resolved.clear();
`,
      ],
      [
        `        this.runtimeOverrides.push(override);
`,
        `        this.runtimeOverrides.push(override);
        this.resolved.clear();
`,
      ],
      [
        `        this.runtimeOverrides.length = 0;
`,
        `        this.runtimeOverrides.length = 0;
        this.resolved.clear();
`,
      ],
    ],
  },
  // Before each request, core serialised every output of a tool to find out how long it is and whether it was shortened already.
  // An output never changes: a shortened one is another object.
  {
    file: /gemini-cli-core\/dist\/src\/context\/toolOutputMaskingService\.js$/,
    changes: [
      [
        `                const toolOutputContent = this.getToolOutputContent(part);
                if (!toolOutputContent || this.isAlreadyMasked(toolOutputContent)) {
                    continue;
                }
                const partTokens = estimateTokenCountSync([part]);
                if (!protectionBoundaryReached) {
                    cumulativeToolTokens += partTokens;
                    if (cumulativeToolTokens > maskingConfig.protectionThresholdTokens) {
                        protectionBoundaryReached = true;
                        // The part that crossed the boundary is prunable.
                        totalPrunableTokens += partTokens;
                        prunableParts.push({
                            contentIndex: i,
                            partIndex: j,
                            tokens: partTokens,
                            content: toolOutputContent,
                            originalPart: part,
                        });
                    }
                }
                else {
                    totalPrunableTokens += partTokens;
                    prunableParts.push({
                        contentIndex: i,
                        partIndex: j,
                        tokens: partTokens,
                        content: toolOutputContent,
                        originalPart: part,
                    });
                }`,
        `                const partTokens = this.maskableTokens(part);
                if (partTokens === undefined) continue;
                if (!protectionBoundaryReached) {
                    cumulativeToolTokens += partTokens;
                    if (cumulativeToolTokens <= maskingConfig.protectionThresholdTokens) continue;
                    protectionBoundaryReached = true;
                }
                totalPrunableTokens += partTokens;
                const content = () => this.getToolOutputContent(part);
                prunableParts.push({ contentIndex: i, partIndex: j, tokens: partTokens, content, originalPart: part });`,
      ],
      [
        `            const { contentIndex, partIndex, content, tokens } = item;
`,
        `            const { contentIndex, partIndex, tokens } = item;
            const content = item.content();
`,
      ],
      [
        `    getToolOutputContent(part) {
`,
        `    maskableTokens(part) {
        const { response } = part.functionResponse;
        if (!response) return undefined;
        if (!knownTokens.has(response)) {
            const isMaskable = !this.isAlreadyMasked(this.getToolOutputContent(part));
            knownTokens.set(response, isMaskable ? estimateTokenCountSync([part]) : undefined);
        }
        return knownTokens.get(response);
    }
    getToolOutputContent(part) {
`,
      ],
      [
        `export class ToolOutputMaskingService {
`,
        `const knownTokens = new WeakMap();
export class ToolOutputMaskingService {
`,
      ],
    ],
  },
  // The same bytes as `JSON.stringify`, but those of a declaration, of a list of them and of the system's instruction are kept.
  {
    file: /@google\/genai\/dist\/node\/index\.mjs$/,
    changes: [
      ...streamedRequests.map((own) => [
        streamedRequest('JSON.stringify', own),
        // Whoever asks may hear of each event of the reply first.
        streamedRequest(
          'bytesOfRequest',
          own,
          `
                onEvent: params.config?.onEvent,`,
        ),
      ]),
      [
        `function includeExtraBodyToRequestInit(requestInit, extraBody) {
    if (!extraBody || Object.keys(extraBody).length === 0) {
        return;
    }`,
        `function bytesOfRequest(body) {
    const given = Object.entries(body).filter(([, value]) => value !== undefined);
    const parts = given.flatMap(([key, value], place) => [
        Buffer.from(\`\${place === 0 ? '{' : ','}"\${key}":\`),
        bytesOfPart(key, value),
    ]);
    return Buffer.concat([...parts, Buffer.from(parts.length === 0 ? '{}' : '}')]);
}
function bytesOfPart(key, value) {
    if (key === 'tools') return bytesOfTools(value);
    return key === 'systemInstruction' ? bytesOfInstruction(value) : Buffer.from(JSON.stringify(value));
}
function bytesOfTools(tools) {
    const [{ functionDeclarations: list, ...others } = {}] = tools;
    if (tools.length !== 1 || !list?.length || Object.keys(others).length > 0) return Buffer.from(JSON.stringify(tools));
    const [first] = list;
    const last = lastLists.get(first);
    if (last?.list.length === list.length && last.list.every((one, place) => one === list[place])) return last.bytes;
    const bytes = Buffer.from(\`[{"functionDeclarations":[\${list.map(textOfDeclaration).join(',')}]}]\`);
    lastLists.set(first, { list, bytes });
    return bytes;
}
const lastLists = new WeakMap();
function textOfDeclaration(declaration) {
    if (!declarationTexts.has(declaration)) declarationTexts.set(declaration, JSON.stringify(declaration));
    return declarationTexts.get(declaration);
}
const declarationTexts = new WeakMap();
function bytesOfInstruction(instruction) {
    const { parts: [{ text, ...others } = {}, ...rest] = [], role, ...more } = instruction;
    const isPlain = typeof text === 'string' && [others, rest, more].every((none) => Object.keys(none).length === 0);
    if (!isPlain) return Buffer.from(JSON.stringify(instruction));
    const known = instructions.get(text);
    const kept = known?.role === role ? known : { role, bytes: Buffer.from(JSON.stringify(instruction)) };
    instructions.delete(text);
    instructions.set(text, kept);
    if (instructions.size > 8) instructions.delete(instructions.keys().next().value);
    return kept.bytes;
}
const instructions = new Map();
function includeExtraBodyToRequestInit(requestInit, extraBody) {
    if (!extraBody || Object.keys(extraBody).length === 0) {
        return;
    }
    if (Buffer.isBuffer(requestInit.body)) requestInit.body = requestInit.body.toString();`,
      ],
    ],
  },
];
