import * as z from 'zod';
import { invalid } from '../../lib/kit/errors.ts';
import { shortened, storable, strangersIn, wordsOf } from './body-fields.ts';
import { isJson } from './whole-schema.ts';

/** Words of names that ask to try a change without making it, wherever in the name they stand: `dry_run`, `simulated`. */
const TRIAL = /^(?:dry\w*|simulat\w*|pretend\w*|rehears\w*)$/;
/** Words that ask for it only with a value such as `true`, because clients have a `preview_url` and a `test_group` too. */
const FLAG = /^(?:preview\w*|tests?|testing|drafts?|mock\w*|validat\w*|sandbox\w*|hypothetical\w*)$/;
/** Words that ask for it only if the name says nothing else: `plan` and `check_only`, but not `check_conflicts`. */
const LOOK = /^(?:check(?:ing)?|plan|estimate|verify|inspect|read|show|view|explain|readonly)$/;
/** Words of names that ask for the change, so that `execute: false` and `do_not_book: true` ask for none. */
const DOING =
  /^(?:execut\w*|commit\w*|apply|proceed|perform|submit|finali[sz]e|book|booking|save|write|persist|run|live\w*)$/;
const AGREEING = /^(?:confirm\w*|approved?|approval|agreed?)$/;
/** Words that ask for the change only if the name says nothing else: `send`, but not `send_reminder`. */
const ACT = /^(?:send|create|schedule|make|move|update|cancel|change)$/;
const BESIDE = /^(?:only|just|mode|is|run|flag|it|do|now|really|actually|auto)$/;
const NOT = /^(?:no|not|dont|don|t|never|skip|without|avoid|prevent|disable)$/;
/** Last words of names whose values are such names: `mode: "preview"`, `options: ["dry_run"]`. */
const SETTING = /^(?:modes?|action|operation|behaviou?r|strategy|options?|flags?|settings?)$/;
const ON: ReadonlySet<string> = new Set(['true', '1', 'yes', 'y', 'on']);
const OFF: ReadonlySet<string> = new Set(['', 'false', '0', 'no', 'n', 'off', 'none', 'never']);

/** If such a field (`dry_run`, `execute: false`, `mode: "preview"`) were ignored, the change would be made. */
export function assertMeantToChange(request: unknown, schema: z.ZodType): void {
  for (const { within, name, value } of strangersIn(schema, request)) {
    if (!asksForNoChange(name, value)) continue;
    const field = within + storable(shortened(name));
    const message = `\`${field}\` is not a field of this request, so nothing was done. ${adviceFor(schema)}`;
    throw invalid(field, message);
  }
}

function adviceFor(schema: z.ZodType): string {
  const own = schema instanceof z.ZodObject ? ['preview', 'dry_run'].find((one) => one in schema.shape) : undefined;
  return own === undefined
    ? 'This operation has no preview. Without the field, it makes the change.'
    : `To see what the call would do, send \`${own}\`: true instead.`;
}

const asksForNoChange = (name: string, value: unknown): boolean =>
  asks(name, value) || settingsIn(name, value).some(([setting, set]) => asks(setting, set));

/** Finds in one look that a name has none of the words, because a large body can have 200,000 names. */
const ANY = new RegExp(
  [
    'no[^a-z\\d]*op',
    'what[^a-z\\d]*if',
    ...[TRIAL, FLAG, LOOK, DOING, AGREEING, ACT].map(({ source }) => source.slice(1, -1)),
  ].join('|'),
  'i',
);

function asks(name: string, value: unknown): boolean {
  if (!ANY.test(name)) return false;
  const words = wordsOf(name);
  const said = typeof value === 'object' ? '' : `${value}`.trim().toLowerCase();
  const isOff = typeof value !== 'object' && OFF.has(said);
  const isNegated = words.some((word) => NOT.test(word));
  const whole = words.join('');
  if (whole === 'noop' || whole === 'whatif' || (!isNegated && words.some((word) => TRIAL.test(word)))) return !isOff;
  const isFlag = words.some((word) => FLAG.test(word)) || saysOnly(words, LOOK);
  if (isFlag && !isNegated) return isJson(value) || ON.has(said);
  const isDoing = words.some((word) => DOING.test(word)) || saysOnly(words, ACT);
  if (isNegated) return isDoing && ON.has(said);
  return isOff && said !== '' && (isDoing || words.some((word) => AGREEING.test(word)));
}

function saysOnly(words: readonly string[], what: RegExp): boolean {
  const [said, ...more] = words.filter((word) => !BESIDE.test(word) && !NOT.test(word));
  return said !== undefined && more.length === 0 && what.test(said);
}

function settingsIn(name: string, value: unknown, levels = 2): [name: string, value: unknown][] {
  if (isJson(value) && levels > 0)
    return Object.entries(value).flatMap(([field, set]) => [[field, set], ...settingsIn(field, set, levels - 1)]);
  if (!(typeof value === 'string' || Array.isArray(value)) || !SETTING.test(wordsOf(name).at(-1) ?? '')) return [];
  return [value].flat().flatMap((one) => (typeof one === 'string' ? [[one, true]] : []));
}
