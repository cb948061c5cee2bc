import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { redact } from '../../functions/http/log.ts';
import { isSafeUrl } from '../../lib/kit/url-safety.ts';
import { readByRules, readContext } from '../../lib/reader/grammar/read.ts';
import { tokensOf } from '../../lib/reader/grammar/tokens.ts';
import { calendarOf } from '../../lib/reader/wish/asker.ts';
import { nameOf, suggestTitle } from '../../lib/words/title.ts';
import { Email, Instant } from '../../schema/api/fields.ts';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import { createCounter, TooManySteps } from '../support/checks/regexp-steps.ts';
import { takeShare } from '../support/fuzz/seeded.ts';

const SOURCES = ['functions', 'lib', 'schema'];
const LITERAL =
  /(?<=(?:[(,=:[!&|?{};]|\breturn|=>)\s*)\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[\s,.;)\]])/g;

/** Lists every regular expression literal in the product's source. */
function literals(): RegExp[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((f) => join(folder, f)),
  )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => [...withoutComments(readFileSync(file, 'utf8')).matchAll(LITERAL)])
    .map(([, source = '', flags]) => new RegExp(source, flags));
}

const withoutComments = (source: string) => source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');

/** More steps than any text of a thousand characters needs. An exploding search is abandoned here, before it runs. */
const LIMIT = 3_000_000;
const MOST = 3;

/** Runs the work and reports each search for a regular expression to `search`, however the expression was made. */
function listening(work: () => unknown, search: (pattern: RegExp, text: string, from: number) => void): void {
  const { exec } = RegExp.prototype;
  const recorded = function (this: RegExp, text: string) {
    RegExp.prototype.exec = exec;
    search(this, String(text), this.global || this.sticky ? this.lastIndex : 0);
    RegExp.prototype.exec = recorded;
    return exec.call(this, text);
  };
  RegExp.prototype.exec = recorded;
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
}

/** Lists every regular expression the work searches for. */
function patternsOf(work: () => unknown): RegExp[] {
  const patterns = new Set<RegExp>();
  listening(work, (pattern) => patterns.add(pattern));
  return [...patterns];
}

const counters = new Map<string, ReturnType<typeof createCounter>>();

function stepsOf(work: () => unknown): number {
  let steps = 0;
  listening(work, (pattern, text, from) => {
    const counter = counters.get(String(pattern)) ?? createCounter(pattern);
    counters.set(String(pattern), counter);
    steps += counter(text, from, LIMIT);
  });
  return steps;
}

/** Returns true if a text of a thousand characters takes more than three times the steps of one with five hundred. */
function growsTooFast(read: (text: string) => unknown, make: (length: number) => string): boolean {
  try {
    return stepsOf(() => read(make(1_000))) > MOST * stepsOf(() => read(make(500)));
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}

const MONDAY = Date.UTC(2030, 0, 7, 10);
const ASKER = { timeZone: 'Europe/London', now: MONDAY, oldStart: MONDAY, oldEnd: MONDAY + 1_800_000 };
const SENTENCE =
  'Please move it from Monday, to Tuesday afternoon; mornings are too early, evenings so late, back to back';
/** Functions that read a whole text, so that each expression in them is tested here. */
const READERS: Record<string, (text: string) => unknown> = {
  tokensOf,
  readContext,
  readByRules: (text) => readByRules(text, calendarOf(ASKER)),
  redact,
  suggestTitle: (text) => suggestTitle(text, [text]),
  nameOf: (text) => nameOf(`${text}@example.com`),
  isSafeUrl: (text) => isSafeUrl(`https://${text}`, { allowLocal: false }),
  Email: (text) => Email.safeParse(`${text}@example.com`),
  Instant: (text) => Instant.safeParse(text),
  PreferencesRequest: (text) => PreferencesRequest.safeParse({ timezone: text, scheduling_context: text }),
};
const TEXTS = ['', 'nothing to say', SENTENCE, 'no gap b2b, not monday', '10am on the 3rd'];
const used = patternsOf(() => Object.values(READERS).map((read) => TEXTS.map(read)));
const patterns = [...new Map([...literals(), ...used].map((pattern) => [String(pattern), pattern])).values()];

const COMMON = [
  'a',
  ' ',
  '\n',
  '1',
  '-',
  '.',
  ',',
  "'",
  '"',
  '@',
  '/',
  ':',
  '+',
  '=',
  '_',
  'é',
  '–',
  'x.',
  'a ',
  '1:',
  'eyJ',
  'Bearer ',
];
const STARTS = ['', 'not '];
const TAIL = ' zzz monday';

const wordsOf = (source: string) => [...new Set(source.match(/[a-z][a-z'-]*/g) ?? [])].map((word) => `${word} `);

/** Finds the first unit whose repetition takes more than linear time. */
const slowUnit = (read: (text: string) => unknown, starts: string[], units: string[]) =>
  starts
    .flatMap((start) => units.map((unit) => ({ start, unit })))
    .find(({ start, unit }) =>
      growsTooFast(read, (length) => start + unit.repeat((length - start.length - TAIL.length) / unit.length) + TAIL),
    );

describe('twice the text is at most thrice the work', () => {
  test('many expressions were found', () => {
    expect(patterns.length).toBeGreaterThan(120);
  });

  const played = takeShare(patterns, process.env.TEST_SHARE ?? '1/1');
  test.each(played.map((pattern) => [String(pattern), pattern] as const))(
    'for %s',
    (_, pattern) => {
      const all = new RegExp(pattern, [...new Set(`${pattern.flags}g`)].join(''));
      const read = (text: string) => text.replace(all, '');
      expect(slowUnit(read, STARTS, [...COMMON, ...wordsOf(pattern.source)])).toBeUndefined();
    },
    60_000,
  );

  const vocabulary = wordsOf(used.map(({ source }) => source).join(' ')).filter((_, index) => index % 40 === 0);
  test.each(Object.entries(READERS))(
    'for %s',
    (_, read) => {
      expect(slowUnit(read, ['not '], COMMON)).toBeUndefined();
      expect(slowUnit(read, ['not '], vocabulary)).toBeUndefined();
    },
    // Two minutes are not enough on a busy machine of two cores.
    600_000,
  );
});
