/** What whoever typed the command can mend: a wrong option, a variable that is not set. */
export class UsageError extends Error {}

/** A variable of the environment; throws `UsageError` where it is not set. */
export function readEnv(name: 'DATABASE_URL' | 'TOKEN_KEYS' | 'KEY_CHECK_SECRET'): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new UsageError(`Set ${name}, as the Worker has it.`);
  return value;
}
