import { type Choices, noChoices, type OtherSetting, type Settable } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import type { EngineEvent } from '../engine.js';
import type { OpenedSession } from './agent/agent-messages.js';
import {
  type AgentSetting,
  isAskingMode,
  isHarmless,
  readOthers,
  readSetting,
  type SettingKind,
} from './agent-setting.js';
import { failureText } from './failure-text.js';
import type { OpenAgent } from './agent/open-agent.js';
import { defined } from '../../util/defined.js';

export type AgentSettingsOptions = {
  readonly opened: () => Promise<OpenAgent>;
  /** Whether clients may choose to run tools without asking. */
  readonly mayAutoExecute: boolean;
  /** The agent's id of the mode that the operator wants. */
  readonly mode?: string | undefined;
  /** What clients chose before a restart. */
  readonly chosen: Chosen;
  readonly onChosen: () => void;
  readonly report: (event: EngineEvent) => void;
};

export type Chosen = { readonly mode?: string; readonly model?: string };

/** Model and mode of an agent's session. Agents report and accept them in different ways. */
export class AgentSettings implements Settable {
  readonly #options: AgentSettingsOptions;
  readonly #known: Partial<Record<SettingKind, AgentSetting>> = {};
  #others: readonly OtherSetting[] = [];
  #chosen: Chosen;
  /** The mode it works in by default: the operator's, or the agent's own first mode. */
  #startMode: string | undefined;
  #reported = '';

  constructor(options: AgentSettingsOptions) {
    this.#options = options;
    this.#startMode = options.mode;
    this.#chosen = options.chosen;
  }

  get chosen(): Chosen {
    return this.#chosen;
  }

  open(): Promise<unknown> {
    return this.#options.opened();
  }

  choices(): Choices {
    const { mode, model } = this.#known;
    const { mayAutoExecute } = this.#options;
    const modes = mode?.choices.filter(({ id }) => mayAutoExecute || id === this.#startMode || isAskingMode(id));
    const others = this.#others.filter((setting) => mayAutoExecute || isHarmless(setting));
    return { modes: modes ?? noChoices.modes, models: model?.choices ?? noChoices.models, others };
  }

  async setMode(id: string): Promise<void> {
    await this.#choose('mode', id);
  }

  async setModel(id: string): Promise<void> {
    await this.#choose('model', id);
  }

  async setOther(id: string, choice: string): Promise<void> {
    const { connection, sessionId } = await this.#options.opened();
    await orRefused(async () => this.update(await connection.setOption(sessionId, id, choice)));
  }

  /** Takes settings that the agent sent. */
  update(news: Partial<OpenedSession>): void {
    for (const kind of ['mode', 'model'] as const) {
      const setting = readSetting(kind, news, this.#known[kind]);
      if (setting) this.#known[kind] = setting;
    }
    this.#others = readOthers(news) ?? this.#others;
    this.#reportChange();
  }

  /** Restores the operator's mode and the clients' choices in a newly opened session, if clients may still choose them. */
  async restore(agent: OpenAgent): Promise<void> {
    this.update(agent.session);
    if (!agent.isEarlier) this.#startMode ??= this.#known.mode?.current;
    const { modes, models } = this.choices();
    const mode = modes.find(({ id }) => id === this.#chosen.mode)?.id ?? this.#options.mode;
    const model = models.find(({ id }) => id === this.#chosen.model)?.id;
    if (mode !== undefined) await this.#set(agent, 'mode', mode);
    if (model !== undefined) await this.#set(agent, 'model', model);
  }

  async #choose(kind: SettingKind, id: string): Promise<void> {
    const agent = await this.#options.opened();
    await orRefused(() => this.#set(agent, kind, id));
    this.#chosen = { ...this.#chosen, [kind]: id };
    this.#options.onChosen();
  }

  async #set({ connection, sessionId }: OpenAgent, kind: SettingKind, id: string): Promise<void> {
    const known = this.#known[kind];
    if (known?.current === id) return;
    if (known?.optionId !== undefined) this.update(await connection.setOption(sessionId, known.optionId, id));
    else if (kind === 'mode') await connection.setMode(sessionId, id);
    else await connection.setModel(sessionId, id);
    // Some agents do not confirm a change.
    this.#known[kind] = { choices: [], ...this.#known[kind], current: id };
    this.#reportChange();
  }

  /** Reports the settings if they have changed since the last report. */
  #reportChange(): void {
    const model = this.#known.model?.current ?? '';
    const mode = this.#known.mode?.current;
    const key = JSON.stringify([model, mode, this.#others.map(({ current }) => current)]);
    if (key === this.#reported || (model === '' && mode === undefined)) return;
    this.#reported = key;
    this.#options.report({ type: 'settings', model, ...defined({ approvalMode: mode }) });
  }
}

async function orRefused(set: () => Promise<void>): Promise<void> {
  try {
    await set();
  } catch (error) {
    throw new AppError('bad-request', `the agent refuses: ${failureText(error)}`, { cause: error });
  }
}
