#!/usr/bin/env node
import {
  BatchTimeoutError,
  type ClientOptions,
  createTandem,
  JobTimeoutError,
  TandemConnectionError,
  TandemError,
} from '../tandem.ts';
import { COMMANDS } from './commands.ts';
import { type Arguments, type Command, readArguments, refuseOthers, webAddress } from './options.ts';
import { print, slotLines, warn } from './show.ts';
import { USAGE, UsageError, VERSION } from './usage.ts';

function commandOf(words: string[]): [name: string, command: Command, rest: string[]] {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command !== undefined) return [name, command, words.slice(length)];
  }
  throw new UsageError(
    words[0] === 'webhooks'
      ? 'The command "webhooks" must be followed by "listen" or "replay".'
      : `"${words[0]}" is not a command.`,
  );
}

async function main(args: Arguments) {
  if (args.version) return print([`tandem ${VERSION}`]);
  if (args.help || args.words.length === 0) return print(USAGE.trimEnd().split('\n'));
  const [name, command, words] = commandOf(args.words);
  refuseOthers(args, name, command.options);
  const { TANDEM_API_KEY: apiKey, TANDEM_URL } = process.env;
  const baseUrl = webAddress(TANDEM_URL || undefined, 'TANDEM_URL', 'https://api.example.com');
  if (!apiKey || !baseUrl)
    throw new UsageError(
      apiKey ? 'Set TANDEM_URL to the address of the API.' : "Set TANDEM_API_KEY to your platform's secret key.",
    );
  const tandem = clientOf({ apiKey, baseUrl, maxRetryAfterSeconds: 60 });
  const { answer, lines, isFailure } = await command.run(tandem, args, words, { apiKey, baseUrl });
  if (args.json && answer !== undefined) print(JSON.stringify(answer, null, 2).split('\n'));
  else print(lines);
  if (isFailure) process.exitCode = 1;
}

function clientOf(options: ClientOptions) {
  try {
    return createTandem(options);
  } catch (error) {
    throw error instanceof TypeError
      ? new UsageError(`${error.message} It comes from TANDEM_API_KEY or TANDEM_URL.`)
      : error;
  }
}

/** Errors of which the CLI prints only the message, because it says all that the user needs to know. */
const EXPLAINED = [TandemConnectionError, JobTimeoutError, BatchTimeoutError];

/** Prints JSON for scripts if it is the API's answer. The exit code is 2 for wrong usage, 1 for any other error. */
function fail(error: unknown, isJson: boolean) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  if (error instanceof UsageError) return warn([`${error.message} Run "tandem --help" for usage.`]);
  if (EXPLAINED.some((kind) => error instanceof kind)) return warn([(error as Error).message]);
  if (!(error instanceof TandemError)) throw error;
  const { code, message, facts } = error;
  if (isJson) return print(JSON.stringify({ error: { code, message, ...facts } }, null, 2).split('\n'));
  const about = [facts.field && `field ${facts.field}`, facts.docs].filter((part) => part !== undefined);
  warn([message, ...(facts.alternatives ?? []).flatMap(slotLines), [code, ...about].join(', ')]);
}

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The program that read the output, such as `head`, has ended.
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });

const typed = process.argv.slice(2);
try {
  await main(readArguments(typed));
} catch (error) {
  fail(error, typed.includes('--json'));
}
