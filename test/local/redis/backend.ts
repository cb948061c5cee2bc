/** A command refused in Redis' own words ("WRONGTYPE Operation against a key …"). */
export class CommandError extends Error {}

/** One command's outcome inside a transaction. */
export type Outcome = { reply: unknown } | { error: CommandError };

/** A key as it stands, to be kept; `expiresAt` by the world's clock. */
export interface KeptKey {
  key: string;
  value: unknown;
  expiresAt: number | undefined;
}

/** A key space of one world's own: commands are arrays of text, replies are RESP values. */
export interface RedisBackend {
  run(command: string[]): Promise<unknown>;
  transaction(commands: string[][]): Promise<Outcome[]>;
  keys(): Promise<string[]>;
  /** The value of a key as plain data and back; absent on a server that keeps its keys itself. */
  values?: { read(key: string): unknown; write(key: string, value: unknown): void };
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Any failure as a refusal that starts with an error code, as Redis' refusals do. */
export function asCommandError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(/^[A-Z]+ /.test(message) ? message : `ERR ${message}`);
}
