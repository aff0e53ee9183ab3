import type { ApprovalMode } from '@google/gemini-cli-core';
import type { Choice, Choices, Settable } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import type { EngineHost } from '../engine.js';
import { approvalModes } from '../gemini/approval-modes.js';
import { errorText } from '../gemini/error-text.js';
import type { OpenedCore } from './headless-options.js';

export type HeadlessSettingsOptions = {
  readonly opened: () => Promise<OpenedCore>;
  /** Whether clients may choose to run tools without asking. */
  readonly mayAutoExecute: boolean;
  readonly report: EngineHost['report'];
  /** Saves the choice, so it survives a restart. */
  readonly save: (opened: OpenedCore) => Promise<void>;
};

/** Model and approval mode of a session on core. */
export class HeadlessSettings implements Settable {
  readonly #options: HeadlessSettingsOptions;
  #opened: OpenedCore | undefined;
  #reported = '';

  constructor(options: HeadlessSettingsOptions) {
    this.#options = options;
  }

  open(): Promise<unknown> {
    return this.#options.opened();
  }

  choices(): Choices {
    if (!this.#opened) return { modes: [], models: [] };
    const { core } = this.#opened;
    const models = [...core.VALID_GEMINI_MODELS].filter((id) => id !== 'none').toSorted();
    return { modes: this.#modes(this.#opened), models: models.map((id) => ({ id, name: id })) };
  }

  async setMode(id: string): Promise<void> {
    const opened = await this.#options.opened();
    const { core, config } = opened;
    const mode = Object.values(core.ApprovalMode).find((known: string) => known === id);
    if (mode !== undefined) this.#set(mode, (chosen: ApprovalMode) => config.setApprovalMode(chosen));
    this.tell(opened);
    await this.#options.save(opened);
  }

  async setModel(id: string): Promise<void> {
    const opened = await this.#options.opened();
    // Temporary: the session's choice is not written to the user's settings.
    opened.config.setModel(id, true);
    this.tell(opened);
    await this.#options.save(opened);
  }

  /** Reports the settings if they have changed since the last report. */
  tell(opened: OpenedCore): void {
    this.#opened = opened;
    const { config } = opened;
    const settings = { model: config.getModel(), approvalMode: config.getApprovalMode() };
    const key = `${settings.model} ${settings.approvalMode}`;
    if (key === this.#reported) return;
    this.#reported = key;
    this.#options.report({ type: 'settings', ...settings });
  }

  #modes({ config }: OpenedCore): Choice[] {
    const mayRunUnasked = this.#options.mayAutoExecute && config.isTrustedFolder();
    return [
      approvalModes.default,
      ...(config.isPlanEnabled() ? [approvalModes.plan] : []),
      ...(mayRunUnasked ? [approvalModes.autoEdit] : []),
      ...(mayRunUnasked && !config.isYoloModeDisabled() ? [approvalModes.yolo] : []),
    ];
  }

  /** Core has the last word, for example on untrusted folders. */
  #set<T>(value: T, set: (value: T) => void): void {
    try {
      set(value);
    } catch (error) {
      throw new AppError('bad-request', errorText(error), { cause: error });
    }
  }
}
