import { modelClientPatches } from './model-client-patches.js';
import { openingPatches } from './opening-patches.js';
import { requestPatches } from './request-patches.js';
import { toolCallPatches } from './tool-call-patches.js';

/** Each has a reason, the file, and pairs of what stands there and what stands there instead. */
const patches = [
  ...openingPatches,
  ...toolCallPatches,
  ...modelClientPatches,
  ...requestPatches,
  // A script has its own `require` (as-scripts.js).
  {
    file: /web-tree-sitter\/tree-sitter\.js$/,
    changes: [['      var require = createRequire(import.meta.url);\n', '']],
  },
  // The parser of shell commands lives in WebAssembly, where nothing is collected: core left a parser and a tree there for
  // every command.
  {
    file: /gemini-cli-core\/dist\/src\/utils\/shell-utils\.js$/,
    changes: [
      [
        `    const parser = createParser();
    if (!parser || !command.trim()) {`,
        `    if (command === lastTree?.command) return lastTree.tree;
    const parser = command.trim() ? createParser() : null;
    if (!parser) {`,
      ],
      [
        `        return tree;
    }
    catch {
        return null;
    }
}
function normalizeCommandName(`,
        `        // Its nodes hold the tree, so it is freed only when nobody can look at it any more.
        if (tree) forgottenTrees.register(tree, { pointer: tree[0], free: tree.delete });
        lastTree = { command, tree };
        setImmediate(() => (lastTree = undefined));
        return tree;
    }
    catch {
        return null;
    }
    finally {
        parser.delete();
    }
}
const forgottenTrees = new FinalizationRegistry(({ pointer, free }) => free.call({ 0: pointer }));
// A command is searched for its parts, and a moment later for redirections.
let lastTree;
function normalizeCommandName(`,
      ],
    ],
  },
  // Before each request, core made the declarations of all tools for the one after it. Now it does so while it waits for the
  // reply, or reads it, and at the latest before the next request. A reply that comes at once is read first, up to its question.
  {
    file: /gemini-cli-core\/dist\/src\/core\/geminiChat\.js$/,
    changes: [
      [
        `        const apiCall = async () => {
            const useGemini3_1`,
        `        const apiCall = async () => {
            await this.declareTools(this.nextTools);
            const useGemini3_1`,
      ],
      [
        `            if (this.onModelChanged) {
                this.tools = await this.onModelChanged(modelToUse);
            }
`,
        ``,
      ],
      [
        `            return this.context.config.getContentGenerator().generateContentStream({
                model: modelToUse,
                contents: finalContents,
                config,
            }, prompt_id, role);
        };`,
        `            const next = (this.nextTools = { model: modelToUse });
            this.declareToolsLater(next);
            return this.context.config.getContentGenerator().generateContentStream({
                model: modelToUse,
                contents: finalContents,
                config,
            }, prompt_id, role);
        };`,
      ],
      [
        `    setTools(tools) {
        this.tools = tools;
    }`,
        `    async declareTools(next) {
        if (!next || this.nextTools !== next || !this.onModelChanged) return;
        this.tools = await this.onModelChanged(next.model);
        if (this.nextTools === next) this.nextTools = undefined;
    }
    // If it fails, the next request tries again and reports it. A task that is deleted meanwhile is not kept in memory.
    declareToolsLater(next) {
        const chat = new WeakRef(this);
        setTimeout(() => chat.deref()?.declareTools(next).catch(() => {}), 100).unref();
    }
    setTools(tools) {
        this.nextTools = undefined;
        this.tools = tools;
    }`,
      ],
    ],
  },
  // Core translated the whole request, and each piece, for the hooks around the model before it looked whether there are any.
  {
    file: /gemini-cli-core\/dist\/src\/hooks\/hookSystem\.js$/,
    changes: [
      [
        `        try {
            const result = await this.hookEventHandler.fireAfterModelEvent(originalRequest, chunk);`,
        `        try {
            if (!this.hookPlanner.createExecutionPlan('AfterModel')) return { response: chunk };
            const result = await this.hookEventHandler.fireAfterModelEvent(originalRequest, chunk);`,
      ],
      [
        `        try {
            const result = await this.hookEventHandler.fireBeforeModelEvent(llmRequest);`,
        `        try {
            if (!this.hookPlanner.createExecutionPlan('BeforeModel')) return { blocked: false };
            const result = await this.hookEventHandler.fireBeforeModelEvent(llmRequest);`,
      ],
      [
        `        try {
            const result = await this.hookEventHandler.fireBeforeToolSelectionEvent(llmRequest);`,
        `        try {
            if (!this.hookPlanner.createExecutionPlan('BeforeToolSelection')) return {};
            const result = await this.hookEventHandler.fireBeforeToolSelectionEvent(llmRequest);`,
      ],
    ],
  },
  // For events that are sent nowhere, core serialised the whole conversation, the tools and the reply with every request, and
  // counted the tokens of each.
  {
    file: /gemini-cli-core\/dist\/src\/core\/loggingContentGenerator\.js$/,
    changes: [
      [
        `        const requestText = JSON.stringify(contents);
        logApiRequest(`,
        `        const requestText = '';
        logApiRequest(`,
      ],
      [
        `    async generateContentStream(req, userPromptId, role) {
        return runInDevTraceSpan({
            operation: GeminiCliOperation.LLMCall,
            logPrompts: this.config.getTelemetryLogPromptsEnabled(),
            tracesEnabled: this.config.getTelemetryTracesEnabled(),
            sessionId: this.config.getSessionId(),
            attributes: {
                [GEN_AI_REQUEST_MODEL]: req.model,
                [GEN_AI_PROMPT_NAME]: userPromptId,
                [GEN_AI_SYSTEM_INSTRUCTIONS]: safeJsonStringify(req.config?.systemInstruction ?? []),
                [GEN_AI_TOOL_DEFINITIONS]: safeJsonStringify(req.config?.tools ?? []),
            },`,
        `    async generateContentStream(req, userPromptId, role) {
        return runInDevTraceSpan({
            operation: GeminiCliOperation.LLMCall,
            logPrompts: this.config.getTelemetryLogPromptsEnabled(),
            tracesEnabled: this.config.getTelemetryTracesEnabled(),
            sessionId: this.config.getSessionId(),
            attributes: {},`,
      ],
      [
        `        if (!hasToolCalls) {
            event.usage.context_breakdown = estimateContextBreakdown(requestContents, generationConfig);
        }`,
        ``,
      ],
      [
        `lastUsageMetadata, JSON.stringify(responses.map((r) => ({
                candidates: r.candidates,
                usageMetadata: r.usageMetadata,
                responseId: r.responseId,
                modelVersion: r.modelVersion,
                promptFeedback: r.promptFeedback,
            }))), req.config, serverDetails);`,
        `lastUsageMetadata, '', req.config, serverDetails);`,
      ],
    ],
  },
];

/**
 * Places in gemini-cli-core, and in the model's client inside it, that `build-core.js` changes in our bundle. One entry per
 * file: esbuild would load a file with the first one and leave out all others.
 */
export const corePatches = [...new Map(patches.map(({ file }) => [file.source, file])).values()].map((file) => ({
  file,
  changes: patches.filter((patch) => patch.file.source === file.source).flatMap(({ changes }) => changes),
}));
