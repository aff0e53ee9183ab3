export type SlashCommand = {
  readonly name: string;
  readonly description: string;
  readonly sub_commands: readonly SlashCommand[];
};

/** Reads the server's replies (docs/live-endpoint.md). Missing fields read as empty. */
export function readAccepted(reply: unknown): { turnId: string; position: number; isDuplicate: boolean } {
  const { turnId, position, duplicate } = toRecord(reply);
  return {
    turnId: toText(turnId),
    position: typeof position === 'number' ? position : 0,
    isDuplicate: duplicate === true,
  };
}

export function readExecution(reply: unknown): { turnId: string; refusal?: string } {
  const { execution_id, status, message } = toRecord(reply);
  return { turnId: toText(execution_id), ...(status === 'FAILED_TO_START' ? { refusal: toText(message) } : {}) };
}

export function readCommands(reply: unknown): SlashCommand[] {
  return toList(toRecord(reply)['commands']).map(readCommand);
}

export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function readCommand(value: unknown): SlashCommand {
  const { name, description, sub_commands } = toRecord(value);
  return { name: toText(name), description: toText(description), sub_commands: toList(sub_commands).map(readCommand) };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
