import { parseArgs } from 'node:util';
import { keyBytes } from '../../webhooks/delivery-headers.ts';
import type { Tandem } from '../tandem.ts';
import type { Place } from './events.ts';
import { UsageError } from './usage.ts';

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;

const OPTIONS = {
  duration: text,
  from: text,
  to: text,
  when: text,
  title: text,
  metadata: { ...text, multiple: true },
  context: text,
  status: text,
  email: text,
  count: text,
  'expires-in': text,
  'requester-name': text,
  'guest-zone': text,
  by: text,
  reason: text,
  since: text,
  'max-per-person': text,
  'max-per-day': text,
  out: text,
  'forward-to': text,
  secret: text,
  'idempotency-key': text,
  'dry-run': yes,
  fresh: yes,
  'require-free': yes,
  wait: yes,
  json: yes,
  help: { ...yes, short: 'h' },
  version: { ...yes, short: 'v' },
} as const;

type Values = ReturnType<typeof parse>['values'];
type Option = keyof Values;

export interface Arguments extends Values {
  words: string[];
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

export function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parse(args);
    return { ...values, words: positionals };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const [, option = message] = /'(?:-\w, )?(--?[\w-]+)/.exec(message) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(`The command has no option ${option}.`);
    throw new UsageError(
      `The option ${option} ${message.includes('does not take') ? 'takes no value' : 'needs a value'}.`,
    );
  }
}

/** Throws `UsageError` for an option that this command would ignore, so that nobody believes it had an effect. */
export function refuseOthers(
  { words: _, json: __, help: ___, version: ____, ...given }: Arguments,
  command: string,
  own: readonly Option[],
) {
  const [other] = Object.keys(given).filter((name) => !own.some((one) => one === name));
  if (other !== undefined) throw new UsageError(`${command} has no option --${other}.`);
}

type Taken<Names extends readonly string[]> = { -readonly [At in keyof Names]: string };

export function take<const Names extends readonly string[]>(words: string[], ...names: Names) {
  const missing = names[words.length];
  if (missing !== undefined) throw new UsageError(`The argument <${missing}> is missing.`);
  const [extra] = words.slice(names.length);
  if (extra !== undefined) throw new UsageError(`The command takes no argument "${extra}".`);
  const unusable = words.findIndex((word) => /^\.{0,2}$/.test(word));
  if (unusable >= 0) throw new UsageError(`The argument <${names[unusable]}> cannot be "${words[unusable]}".`);
  return words as Taken<Names>;
}

export function dateRange({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return from || to ? { ...(from && { start_date: from }), ...(to && { end_date: to }) } : undefined;
}

export function demand(value: string | undefined, option: string): string {
  if (value === undefined) throw new UsageError(`The option ${option} is missing.`);
  return value;
}

export function webhookSecret(given: string | undefined): string | undefined {
  if (given === undefined || (given.startsWith('whsec_') && isKey(given))) return given;
  throw new UsageError('--secret must be a webhook secret, whsec_…, as the API returned it when you set the webhook.');
}

function isKey(secret: string): boolean {
  try {
    return keyBytes(secret).length > 0;
  } catch {
    return false;
  }
}

export function webAddress(given: string | undefined, name: string, example: string): string | undefined {
  if (given === undefined || (/^https?:\/\//i.test(given) && URL.canParse(given))) return given;
  throw new UsageError(`${name} must be a URL, such as ${example}.`);
}

export function instant(given: string | undefined, option: string): string | undefined {
  if (given === undefined) return undefined;
  if (/T.*(Z|[+-]\d\d:?\d\d)$/i.test(given) && !Number.isNaN(Date.parse(given))) return new Date(given).toISOString();
  throw new UsageError(`${option} must be a time with an offset, such as 2026-12-01T14:00+01:00.`);
}

export function pairs(given: string[] | undefined): Record<string, string> | undefined {
  return given && Object.fromEntries(given.map(pair));
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--metadata must have the form key=value.');
  return [text.slice(0, at), text.slice(at + 1)];
}

export const minutes = (value: string | undefined) => whole(value, '--duration must be a whole number of minutes.');

export function whole(value: string | undefined, message: string): number | undefined {
  if (value !== undefined && !/^\d{1,4}$/.test(value)) throw new UsageError(message);
  return value === undefined ? undefined : Number(value);
}

export type Outcome = { answer: unknown; lines: string[]; isFailure?: boolean };

type Run<Words> = (tandem: Tandem, args: Arguments, words: Words, place: Place) => Promise<Outcome>;

export interface Command {
  options: readonly Option[];
  run: Run<string[]>;
}

export const command = <const Names extends readonly string[]>(
  options: readonly Option[],
  names: Names,
  run: Run<Taken<Names>>,
): Command => ({ options, run: (tandem, args, words, place) => run(tandem, args, take(words, ...names), place) });
