/** Command that was refused, in Redis' own words ("WRONGTYPE Operation against a key …"). */
export class CommandError extends Error {}

/** Result of one command in a transaction. */
export type Outcome = { reply: unknown } | { error: CommandError };

/** Key with its value, to be saved. `expiresAt` is by the world's clock. */
export interface KeptKey {
  key: string;
  value: unknown;
  expiresAt: number | undefined;
}

/** Key space of one world. Commands are arrays of text, and replies are RESP values. */
export interface RedisBackend {
  run(command: string[]): Promise<unknown>;
  transaction(commands: string[][]): Promise<Outcome[]>;
  keys(): Promise<string[]>;
  /** Functions that turn a key's value into plain data and back. Absent on a server that saves its keys itself. */
  values?: { read(key: string): unknown; write(key: string, value: unknown): void };
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Turns any failure into a refusal that starts with an error code, as Redis' refusals do. */
export function asCommandError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(/^[A-Z]+ /.test(message) ? message : `ERR ${message}`);
}
