/** The server's log. It never goes to the terminal, which belongs to the CLI. */
export type ServerLog = {
  debug(message: string, facts?: object): void;
  info(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
};
