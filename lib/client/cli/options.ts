import { parseArgs } from 'node:util';
import { keyBytes } from '../../webhooks/delivery-headers.ts';
import { UsageError } from './usage.ts';

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;

const OPTIONS = {
  duration: text,
  from: text,
  to: text,
  title: text,
  metadata: { ...text, multiple: true },
  context: text,
  status: text,
  by: text,
  reason: text,
  since: text,
  'forward-to': text,
  secret: text,
  'idempotency-key': text,
  fresh: yes,
  'require-free': yes,
  wait: yes,
  json: yes,
  help: { ...yes, short: 'h' },
} as const;

type Values = ReturnType<typeof parse>['values'];
export type Option = keyof Values;

export interface Arguments extends Values {
  /** What stands between the options, in order. */
  words: string[];
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

/** Reads what was typed. Throws `UsageError`, for an option nobody knows or one without its value. */
export function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parse(args);
    return { ...values, words: positionals };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const [, option = message] = /'(?:-\w, )?(--?[\w-]+)/.exec(message) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(`${option} is no option.`);
    throw new UsageError(`${option} takes ${message.includes('does not take') ? 'no value' : 'a value'}.`);
  }
}

/** Throws `UsageError` for an option that says nothing to this command: it must not look heeded. */
export function refuseOthers({ words: _, json: __, help: ___, ...given }: Arguments, command: string, own: Option[]) {
  const [other] = Object.keys(given).filter((name) => !own.some((one) => one === name));
  if (other !== undefined) throw new UsageError(`--${other} is no option of ${command}.`);
}

/** The words a command takes, all of them and no more. */
export function take<const Names extends readonly string[]>(words: string[], ...names: Names) {
  const missing = names[words.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing.`);
  const [extra] = words.slice(names.length);
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`);
  return words as { -readonly [At in keyof Names]: string };
}

/** An option that a command cannot do without. */
export function demand(value: string | undefined, option: string): string {
  if (value === undefined) throw new UsageError(`${option} is missing.`);
  return value;
}

/** A webhook secret; undefined where none was given. */
export function webhookSecret(given: string | undefined): string | undefined {
  if (given === undefined || (given.startsWith('whsec_') && isKey(given))) return given;
  throw new UsageError('--secret takes the webhook secret, whsec_….');
}

function isKey(secret: string): boolean {
  try {
    return keyBytes(secret).length > 0;
  } catch {
    return false;
  }
}

/** An address to call; undefined where none was given. */
export function webAddress(given: string | undefined, name: string, example: string): string | undefined {
  if (given === undefined || (/^https?:\/\//i.test(given) && URL.canParse(given))) return given;
  throw new UsageError(`${name} takes a URL, as ${example}.`);
}

/** A time as ISO 8601 in UTC; undefined where none was given. */
export function instant(given: string | undefined, option: string): string | undefined {
  if (given === undefined) return undefined;
  if (/T.*(Z|[+-]\d\d:?\d\d)$/i.test(given) && !Number.isNaN(Date.parse(given))) return new Date(given).toISOString();
  throw new UsageError(`${option} takes a time, as 2026-12-01T14:00+01:00.`);
}

/** Pairs as `key=value`; undefined where none were given. */
export function pairs(given: string[] | undefined): Record<string, string> | undefined {
  return given && Object.fromEntries(given.map(pair));
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--metadata takes key=value.');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Whole minutes; undefined where none were given. */
export function minutes(value: string | undefined): number | undefined {
  if (value !== undefined && !/^\d{1,4}$/.test(value)) throw new UsageError('--duration takes whole minutes.');
  return value === undefined ? undefined : Number(value);
}
