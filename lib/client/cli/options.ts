import { parseArgs } from 'node:util';
import { keyBytes } from '../../webhooks/delivery-headers.ts';
import { UsageError } from './usage.ts';

const text = { type: 'string' } as const;
const yes = { type: 'boolean', default: false } as const;

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

export interface Arguments extends Values {
  /** What stands between the options, in order. */
  words: string[];
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

/** Reads what was typed. Throws `UsageError`, for an option nobody knows. */
export function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parse(args);
    return { ...values, words: positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
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
  try {
    if (given !== undefined) keyBytes(given);
    return given;
  } catch {
    throw new UsageError('--secret takes the webhook secret, whsec_….');
  }
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
