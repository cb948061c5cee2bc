/** Mistake that whoever ran the command can fix, such as a wrong option or a missing variable. */
export class UsageError extends Error {}

/** Reads an environment variable. Throws `UsageError` if it is not set. */
export function readEnv(name: 'DATABASE_URL' | 'TOKEN_KEYS' | 'KEY_CHECK_SECRET'): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new UsageError(
      `The environment variable ${name} is not set. Set it to the value that the Worker has, and run the command again.`,
    );
  return value;
}
