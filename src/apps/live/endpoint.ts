import type { LiveOptions } from '../../config/live-options.js';
import { sessionEnded, sharingStopped } from '../../domain/final-close.js';
import type { Terminal } from '../../engine/live/terminal.js';
import type { OpenServer } from '../../server/open-server.js';
import type { ServerLog } from '../../domain/server-log.js';
import type { Session } from '../../session/session.js';
import { parsePort } from '../../util/parse-port.js';
import { UsageError } from '../../util/usage-error.js';
import { liveCard } from '../agent-cards.js';
import { announceServer } from './announce-server.js';
import { openedLine } from './opened-line.js';
import { devicesOfSession } from '../host/session-devices.js';
import { PresenceLines } from './presence-lines.js';
import { whyNotOpened } from './why-not-opened.js';

export type EndpointOptions = Omit<LiveOptions, 'port'> & {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly log: ServerLog;
  readonly token: string;
  readonly workspace: string;
};

const usage = 'Use /a2a on [port], /a2a off, /a2a qr [role], /a2a devices [end <name>], or /a2a for the status.';

/** The A2A endpoint of the running terminal. `--a2a-port` switches it on at the start, `/a2a on` later. */
export class LiveEndpoint {
  readonly #options: EndpointOptions;
  readonly #presence: PresenceLines;
  #server: OpenServer | undefined;
  /** 0: it was never open. */
  #lastPort = 0;
  #withdraw: () => void = () => {};

  constructor(options: EndpointOptions) {
    this.#options = options;
    const { terminal, log } = options;
    this.#presence = new PresenceLines((line) => terminal.show('info', line), log);
    // Data written to a socket now still arrives, however the CLI ends.
    process.on('exit', () => {
      this.#withdraw();
      void this.#server?.close(sessionEnded);
    });
  }

  /** Opens the endpoint and shows its address in the terminal, or why it could not be opened. Never throws. */
  async open(port: number): Promise<void> {
    const { terminal } = this.#options;
    try {
      terminal.show('info', await this.#open(port));
    } catch (error) {
      terminal.show('error', this.#whyNot(port, error));
    }
  }

  async command(args: string): Promise<string> {
    const [verb = '', portText, ...rest] = args.split(/\s+/);
    try {
      if (verb === 'qr' || verb === 'devices') return await this.#page(verb, args.split(/\s+/).slice(1));
      if (rest.length > 0) return usage;
      if (verb === '' && portText === undefined) return this.#status();
      if (verb === 'on') return await this.#switchOn(portText === undefined ? undefined : parsePort(portText));
      if (verb === 'off' && portText === undefined) return await this.#switchOff();
      return usage;
    } catch (error) {
      return error instanceof UsageError ? `${error.message}. ${usage}` : this.#whyNot(Number(portText ?? 0), error);
    }
  }

  async #page(verb: 'qr' | 'devices', words: readonly string[]): Promise<string> {
    if (!this.#server) return `The A2A endpoint is off. ${usage}`;
    const desk = this.#server.page;
    if (!desk) return 'This session has no page: it was started with --no-page.';
    const { devicesText, qrText } = await import('./page-command.js');
    return verb === 'qr' ? qrText(desk, words) : devicesText(desk, words);
  }

  /** Without a port, it uses the previous one, so clients find it again. */
  async #switchOn(port: number | undefined): Promise<string> {
    if (this.#server) return `Already on. ${this.#status()}`;
    if (port !== undefined || this.#lastPort === 0) return this.#open(port ?? 0);
    return this.#open(this.#lastPort).catch(() => this.#open(0));
  }

  async #switchOff(): Promise<string> {
    if (!this.#server) return 'The A2A endpoint is already off.';
    const { url, clients } = this.#server;
    const server = this.#server;
    this.#server = undefined;
    this.#withdraw();
    await server.close(sharingStopped);
    this.#options.log.info('endpoint closed', { url });
    if (clients === 0) return 'The A2A endpoint is off.';
    return `The A2A endpoint is off; ${clients} client${clients === 1 ? ' was' : 's were'} disconnected.`;
  }

  #status(): string {
    if (!this.#server) return `The A2A endpoint is off. ${usage}`;
    return `A2A endpoint on ${this.#server.url} · ${this.#presence.names} · session ${this.#options.session.id}`;
  }

  async #open(port: number): Promise<string> {
    const { session, log, stateDir, token, workspace } = this.#options;
    // Loaded only now: a terminal that is not shared never loads a web server.
    const [{ openServer }, { liveAuth }, { AuditFolder }] = await Promise.all([
      import('../../server/open-server.js'),
      import('./live-auth.js'),
      import('../../audit/audit-folder.js'),
    ]);
    const audit = new AuditFolder(stateDir, { onError: (cause) => log.error('audit log', { cause }) });
    const devices = devicesOfSession(stateDir, session.id);
    const server = await openServer({
      ...this.#options,
      port,
      card: liveCard,
      auth: liveAuth(this.#options),
      audit,
      devices,
      presence: this.#presence,
    });
    this.#server = server;
    this.#lastPort = server.port;
    this.#withdraw = announceServer(stateDir, server, { sessionId: session.id, workspace, token });
    log.info('endpoint open', { url: server.url, session: session.id });
    return openedLine(server);
  }

  #whyNot(port: number, error: unknown): string {
    const { log, stateDir } = this.#options;
    log.error('endpoint not opened', { port, cause: error });
    return `A2A endpoint not started: ${whyNotOpened(error, { port, stateDir, advice: 'Type /a2a on for a free port.' })}`;
  }
}
