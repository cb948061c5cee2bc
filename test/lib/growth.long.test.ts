import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { redact } from '../../functions/http/log.ts';
import { isSafeUrl } from '../../lib/kit/url-safety.ts';
import { readByRules, readContext } from '../../lib/reader/grammar/read.ts';
import { tokensOf } from '../../lib/reader/grammar/tokens.ts';
import { calendarOf } from '../../lib/reader/wish/wish-of.ts';
import { nameOf, suggestTitle } from '../../lib/words/title.ts';
import { Email, Instant } from '../../schema/api/fields.ts';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import { takeShare } from '../support/fuzz/seeded.ts';

/** A match of the rest from an index on; false makes the matcher go back to its last choice. */
type Then = (index: number) => boolean;
type Matcher = (index: number, then: Then) => boolean;
/** Steps taken in one search, which is abandoned beyond the limit. */
interface Count {
  steps: number;
  limit: number;
}

class TooManySteps extends Error {}

/**
 * Counts the most steps a backtracking engine takes to search the text for the pattern from an index on. Assumes an
 * engine without shortcuts: one step for each character it examines and each turn of a repetition. Throws
 * `TooManySteps` beyond the limit.
 */
function createCounter({ source, flags }: RegExp): (text: string, from?: number, limit?: number) => number {
  let text = '';
  const count: Count = { steps: 0, limit: Infinity };
  const step = () => {
    if (++count.steps > count.limit) throw new TooManySteps(`/${source}/ takes more than ${count.limit} steps`);
  };
  const match = compile(source, flags, () => text, step);
  return (given, from = 0, limit = Infinity) => {
    text = given;
    Object.assign(count, { steps: 0, limit });
    for (let index = from; index <= text.length; index++) {
      step();
      if (match(index, () => true) || flags.includes('y')) break;
    }
    return count.steps;
  };
}

function compile(source: string, flags: string, text: () => string, step: () => void): Matcher {
  let at = 0;
  let groups = 0;
  const captures: (string | undefined)[] = [];
  const charFlags = flags.replace(/[^imsu]/g, '');

  function alternatives(isBackward: boolean): Matcher {
    const choices = [sequence(isBackward)];
    while (source[at] === '|') {
      at++;
      choices.push(sequence(isBackward));
    }
    const [only] = choices;
    return choices.length === 1 && only ? only : (index, then) => choices.some((choice) => choice(index, then));
  }

  function sequence(isBackward: boolean): Matcher {
    const parts: Matcher[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(term(isBackward));
    if (isBackward) parts.reverse();
    return parts.reduceRight<Matcher>(
      (rest, part) => (index, then) => part(index, (next) => rest(next, then)),
      (index, then) => then(index),
    );
  }

  function term(isBackward: boolean): Matcher {
    const assertion = /^(?:\^|\$|\\b|\\B)/.exec(source.slice(at))?.[0];
    if (assertion !== undefined) {
      at += assertion.length;
      const pattern = new RegExp(assertion, `${charFlags}y`);
      return (index, then) => {
        step();
        pattern.lastIndex = index;
        return pattern.test(text()) && then(index);
      };
    }
    const reference = /^\\([1-9])/.exec(source.slice(at));
    if (reference !== null) {
      at += reference[0].length;
      return repeated(again(Number(reference[1]) - 1, isBackward), false);
    }
    const group = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))?.[0];
    return group === undefined ? repeated(one(isBackward), true) : grouped(group, isBackward);
  }

  function grouped(opening: string, isBackward: boolean): Matcher {
    at += opening.length;
    const number = opening === '(' || opening.endsWith('>') ? groups++ : undefined;
    const looksBehind = opening === '(?<=' || opening === '(?<!';
    const isLook = looksBehind || opening === '(?=' || opening === '(?!';
    const body = alternatives(isLook ? looksBehind : isBackward);
    at++;
    if (!isLook) return repeated(number === undefined ? body : captured(number, body), false);
    const wanted = opening.endsWith('=');
    return (index, then) => {
      step();
      return body(index, () => true) === wanted && then(index);
    };
  }

  const captured =
    (number: number, body: Matcher): Matcher =>
    (index, then) =>
      body(index, (next) => {
        const former = captures[number];
        captures[number] = text().slice(Math.min(index, next), Math.max(index, next));
        if (then(next)) return true;
        captures[number] = former;
        return false;
      });

  const again =
    (number: number, isBackward: boolean): Matcher =>
    (index, then) => {
      step();
      const { length } = captures[number] ?? '';
      const from = isBackward ? index - length : index;
      return text().slice(from, from + length) === (captures[number] ?? '') && then(isBackward ? from : from + length);
    };

  /** Matches one character by asking the engine itself about that character alone. */
  function one(isBackward: boolean): Matcher {
    const atom =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\x[\da-f]{2}|\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\.|[^\\])/is.exec(
        source.slice(at),
      )?.[0];
    if (atom === undefined) throw new SyntaxError(`cannot read /${source}/ at ${at}`);
    at += atom.length;
    const pattern = new RegExp(`^${atom}$`, charFlags);
    const known = new Map<string, boolean>();
    const fits = (char: string) => {
      const before = known.get(char);
      if (before !== undefined) return before;
      known.set(char, pattern.test(char));
      return known.get(char) ?? false;
    };
    return (index, then) => {
      step();
      const char = text()[isBackward ? index - 1 : index];
      return char !== undefined && fits(char) && then(isBackward ? index - 1 : index + 1);
    };
  }

  function repeated(body: Matcher, isChar: boolean): Matcher {
    const quantifier = /^(?:[*+?]|\{(\d+)(,(\d*))?\})(\??)/.exec(source.slice(at));
    if (quantifier === null) return body;
    at += quantifier[0].length;
    const [whole, from, comma, to, isLazy] = quantifier;
    const least = from === undefined ? Number(whole.startsWith('+')) : Number(from);
    const most = from === undefined ? (whole.startsWith('?') ? 1 : Infinity) : comma ? Number(to || Infinity) : least;
    if (isChar && !isLazy) return (index, then) => greedily(body, index, then, { least, most });
    const turn =
      (done: number): Matcher =>
      (index, then) => {
        step();
        const again = () =>
          done < most && body(index, (next) => (next !== index || done < least) && turn(done + 1)(next, then));
        const leave = () => done >= least && then(index);
        return isLazy ? leave() || again() : again() || leave();
      };
    return turn(0);
  }

  return alternatives(false);
}

/** Matches a repeated character without using a stack frame for each repetition. */
function greedily(body: Matcher, index: number, then: Then, { least, most }: { least: number; most: number }): boolean {
  const places = [index];
  let place = index;
  const advance: Then = (next) => {
    place = next;
    return true;
  };
  while (places.length <= most && body(place, advance)) places.push(place);
  while (places.length > least) {
    const last = places.pop();
    if (last !== undefined && then(last)) return true;
  }
  return false;
}

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

const COMMON = [...`a \n1-.,'"@/:+=_é–`, 'x.', 'a ', '1:', 'eyJ', 'Bearer '];
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
