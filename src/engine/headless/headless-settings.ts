import type { ApprovalMode } from '@google/gemini-cli-core';
import type { Choice, Choices, Settable } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import type { EngineHost } from '../engine.js';
import { approvalModes } from '../gemini/approval-modes.js';
import { errorText } from '../gemini/error-text.js';
import type { OpenedCore } from './headless-options.js';

export type HeadlessSettingsOptions = {
  readonly opened: () => Promise<OpenedCore>;
  /** Whether a client may choose that tools run without being asked about. */
  readonly mayAutoExecute: boolean;
  readonly report: EngineHost['report'];
  /** Keeps what was chosen for after a restart. */
  readonly save: (opened: OpenedCore) => Promise<void>;
};

/** Model and approval mode of a session on core. */
export class HeadlessSettings implements Settable {
  readonly #options: HeadlessSettingsOptions;
  #opened: OpenedCore | undefined;
  #told = '';

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
    // Temporary: a session's choice is not written into the settings of the user.
    opened.config.setModel(id, true);
    this.tell(opened);
    await this.#options.save(opened);
  }

  /** Reports the settings when they are not those that were told last. */
  tell(opened: OpenedCore): void {
    this.#opened = opened;
    const { config } = opened;
    const settings = { model: config.getModel(), approvalMode: config.getApprovalMode() };
    const told = `${settings.model} ${settings.approvalMode}`;
    if (told === this.#told) return;
    this.#told = told;
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

  /** Core has the last word, for instance about folders that are not trusted. */
  #set<T>(value: T, set: (value: T) => void): void {
    try {
      set(value);
    } catch (error) {
      throw new AppError('bad-request', errorText(error), { cause: error });
    }
  }
}
