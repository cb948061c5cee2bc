import { readByRules, readContext } from '../../lib/reader/grammar/read.ts';
import { calendarOf } from '../../lib/reader/wish/wish-of.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { askerOf, type SentenceSet } from './set.ts';

/**
 * Changes to a text that change nothing of what it asks for. Whoever reads it must come to the same verdict with and
 * without each of them.
 */
export const HARMLESS: readonly [name: string, change: (text: string) => string][] = [
  ['a greeting', (text) => `Hi Bob! ${text}`],
  ['a longer greeting', (text) => `Good morning, hope you had a nice weekend. ${text}`],
  ['a signature', (text) => `${text}\nBest regards,\nAda`],
  ['an unrelated past date', (text) => `We met on Monday last week. ${text}`],
  ['"tbh mate"', (text) => `${bare(text)} tbh mate`],
  ['a trailing reason', (text) => `${bare(text)}, im in court`],
  ['a trailing sentence', (text) => `${bare(text)}. I have a lot on.`],
  ['capitals', (text) => text.toUpperCase()],
];

const bare = (text: string) => text.replace(/[?.!\s]+$/, '');

const ODD =
  'a an the and or not no never but except only after before until from by to on at in , . ; : ? ! ( ) - — / & + @ \' " \n 1 2 11 30 31 99 1st 22nd 3pm 11:30 24:00 2:99 31/31 2027-01-25 half quarter noon monday mon fri next last this week weeks day days hour hours minutes later earlier move push bring it i am is are can could we please good bad busy dentist lunch 😀 \uffff'.split(
    ' ',
  );
const LONGEST_WORDS = 260;

/**
 * Reads texts made of the words of a set in any order, and of odd ones. Throws what the reader throws. Returns the slowest
 * text, and the mean times of short and of long ones in microseconds a character, which are alike if reading is linear.
 */
export function fuzz(set: SentenceSet, texts: number, seed = 1) {
  const { below, pick } = seeded(seed);
  const words = [...new Set([...set.reasons, ...set.contexts].flatMap(({ text }) => text.split(/\s+/)))];
  const calendar = calendarOf(askerOf(set.setting));
  // Other processes do not count, so this is the processor's time and not the clock's.
  const timed = (read: () => unknown) => {
    const start = process.cpuUsage();
    read();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  const readings = (text: string) => [() => readByRules(text, calendar), () => readContext(text)];
  const slower = (text: string) => Math.max(...readings(text).map(timed));
  const slow: { ms: number; text: string }[] = [];
  const sums = { short: [0, 0], long: [0, 0] } satisfies Record<string, [number, number]>;
  for (let n = 0; n < texts; n++) {
    const repeated = below(10) === 0 ? `${pick(below(2) === 0 ? words : ODD)} ` : undefined;
    const length = 1 + below(below(4) === 0 ? LONGEST_WORDS : 14);
    const text =
      repeated?.repeat(length) ??
      Array.from({ length }, () => pick(below(5) === 0 ? ODD : words)).join(below(12) === 0 ? '' : ' ');
    const ms = slower(text);
    const sum = text.length > 400 ? sums.long : sums.short;
    sum[0] += ms;
    sum[1] += Math.min(1_000, text.length);
    slow.push({ ms, text });
    if (slow.length > 200) slow.sort((a, b) => b.ms - a.ms).length = 10;
  }
  // Of five more readings, the fastest tells a text's cost without what else the machine did.
  const again = slow
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ text }) => ({ text, ms: Math.min(...Array.from({ length: 5 }, () => slower(text))) }))
    .sort((a, b) => b.ms - a.ms);
  const mean = ([ms, letters]: [number, number]) => (letters === 0 ? 0 : (1_000 * ms) / letters);
  return { slowest: again[0] ?? { ms: 0, text: '' }, short: mean(sums.short), long: mean(sums.long) };
}
