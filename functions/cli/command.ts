import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { AppError } from '../../lib/kit/errors.ts';

export class UsageError extends Error {}

export function readEnv(name: 'DATABASE_URL' | 'TOKEN_KEYS' | 'KEY_CHECK_SECRET'): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new UsageError(
      `${name} is not set. Set it in .dev.vars or in the environment to the value that the Worker has, and run the command again.`,
    );
  return value;
}

export function runCommand(main: () => Promise<void>, failed: string): void {
  main().catch((error: unknown) => {
    if (error instanceof UsageError || error instanceof AppError) console.error(error.message);
    else console.error(failed, error);
    process.exitCode = 1;
  });
}

/** A command prints it instead of running, and exits with its code: 0 for help, 2 for a mistake. */
export type Instead = { print: string; exitCode: 0 | 2 };

export const refuse = (said: string, usage: string): Instead => ({ print: `${said}\n\n${usage}\n`, exitCode: 2 });

/** Parses the flags of a command, each of which knows --help. Words are refused unless `words` says that it takes some. */
export function parseFlags<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  { usage, flags, words = false }: { usage: string; flags: Options; words?: boolean },
) {
  try {
    const options = { ...flags, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: words });
    const { help } = values as { help?: boolean };
    return help === true ? { print: `${usage}\n`, exitCode: 0 as const } : { values, words: positionals };
  } catch (error) {
    // Only the parser's first sentence names the flag. The rest explains values that look like flags.
    const [said = ''] = String(error instanceof Error ? error.message : error).split(/(?<=\.) |\n/);
    return refuse(said.trimEnd().replace(/\.?$/, '.'), usage);
  }
}

export function end({ print, exitCode }: Instead): never {
  (exitCode === 0 ? process.stdout : process.stderr).write(print);
  process.exit(exitCode);
}

export function readFlags<const Options extends ParseArgsOptionsConfig = Record<never, never>>(
  usage: string,
  flags: Options = {} as Options,
  { words = false, args = process.argv.slice(2) } = {},
) {
  const asked = parseFlags(args, { usage, flags, words });
  return 'print' in asked ? end(asked) : asked;
}
