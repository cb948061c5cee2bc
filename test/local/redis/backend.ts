/** A command refused in Redis' own words ("WRONGTYPE Operation against a key …"). */
export class CommandError extends Error {}

/** One command's outcome inside a transaction. */
export type Outcome = { reply: unknown } | { error: CommandError };

/** A key space of one world's own: commands are arrays of text, replies are RESP values. */
export interface RedisBackend {
  run(command: string[]): Promise<unknown>;
  transaction(commands: string[][]): Promise<Outcome[]>;
  keys(): Promise<string[]>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Any failure as a refusal that starts with an error code, as Redis' refusals do. */
export function asCommandError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(/^[A-Z]+ /.test(message) ? message : `ERR ${message}`);
}
