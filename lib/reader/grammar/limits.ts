import type { Move, Reading, Rule } from '../../engine/wish/reading.ts';
import { NUMBERS, numberOf } from './clocks.ts';
import { phrasesOf, skip } from './lexicon.ts';

/** An amount of time, such as "two days" or "half an hour". One of `minutes` and `days` is set. */
export interface Amount {
  minutes?: number | undefined;
  days?: number | undefined;
  next: number;
}

/**
 * Words that say how the meeting should move, or something about times without a day or an hour, read at one place of a
 * text. `tag` is their class in the patterns of the grammar:
 * D moves earlier or later · C complains of the hour · U asks for soon · O asks for another day · B speaks of pauses · Z
 * limits the meetings of a day · Q an amount that says nothing by itself.
 */
export type Moving = { next: number } & (
  | { tag: 'D'; move: Omit<Move, 'quote'> }
  | { tag: 'C'; isLate: boolean }
  | { tag: 'U'; soon: NonNullable<Reading['soon']>['when'] }
  | {
      tag: 'B' | 'Z';
      isClose?: boolean;
      rule: Rule extends infer R ? (R extends { quote: string } ? Omit<R, 'quote'> : never) : never;
    }
  | { tag: 'O' }
  | { tag: 'Q'; minutes?: number | undefined }
);

const [HOUR, WEEK] = [60, 7];
const MINUTES = new Map(Object.entries({ minute: 1, hour: HOUR, h: HOUR }));
const DAYS = new Map(Object.entries({ day: 1, days: 1, week: WEEK, fortnight: 2 * WEEK, month: 4 * WEEK }));
const COUNTS = new Map(
  Object.entries({
    ...{ half: 0.5, quarter: 0.25, few: 3, couple: 2 },
    ...{ a: 1, an: 1, another: 1, extra: 1 },
  }),
);

export function amountAt(word: (i: number) => string, at: number): Amount | undefined {
  const countAt = (i: number) =>
    COUNTS.get(word(i)) ?? NUMBERS.get(word(i)) ?? (/^\d{1,3}$/.test(word(i)) ? Number(word(i)) : undefined);
  let count = countAt(at);
  if (count === undefined) return undefined;
  let i = at + 1;
  const isHalf = () => word(i) === 'and' && word(i + 1) === 'a' && word(i + 2) === 'half';
  // "A few", "another two" and "a half" count by their second word.
  if (/^(?:a|an|another|extra)$/.test(word(at)) && countAt(i) !== undefined) count = countAt(i++) ?? count;
  i = skip(word, i, /^(?:of|an|a|more|extra|full|clear|working|whole|good|other|further|business)$/);
  if (isHalf()) [count, i] = [count + 0.5, i + 3];
  const [minutes, days] = [MINUTES.get(word(i)), DAYS.get(word(i))];
  if (minutes === undefined && days === undefined) return undefined;
  i += 1;
  if (isHalf()) [count, i] = [count + 0.5, i + 3];
  if (word(i) === 'or' && /^(?:two|so|three|2)$/.test(word(i + 1))) i += 2;
  if (word(i) === 'more' || word(i) === 'extra') i += 1;
  if (minutes !== undefined) return { minutes: count * minutes, next: i };
  return Number.isInteger(count * (days ?? 1)) ? { days: count * (days ?? 1), next: i } : undefined;
}

const MOST = phrasesOf(
  'no more than|not more than|at most|maximum of|a maximum of|maximum|max|up to|more than|limit of|limit me to',
);
const CLOSE = phrasesOf(
  'back to back to back|back to back|back 2 back|backtoback|b2b|no gaps between|no gap between|no breaks between|no break between|no break before|no break after|no breaks|no gaps|one after another|one after the other|without a break',
);
const PAUSE =
  /^(?:breather|breathing space|breathing room|breathing time|buffer|buffers|gap|gaps|breaks|break|pause|space|time|minute)$/;

/** Reads what says that meetings are too close, or that pauses are wanted: "back to back", "15 minutes between calls". */
export function pauseAt(word: (i: number) => string, at: number): Moving | undefined {
  const close = CLOSE(word, at);
  if (close > 0) {
    const next = at + close;
    if (word(at) === 'b2b' && /^(?:sales|company|client|business|product|marketing|call|deal)$/.test(word(next)))
      return undefined;
    const rule = { kind: 'buffer', verdict: 'wanted' } as const;
    return { tag: 'B', isClose: true, rule, next: /^(?:meeting|calls?)$/.test(word(next)) ? next + 1 : next };
  }
  const amount = amountAt(word, at);
  let i = amount?.next ?? at;
  if (amount === undefined && /^(?:a|some|small|short|proper|decent)$/.test(word(i))) i += 1;
  const isPause = PAUSE.test(word(i));
  if (isPause && word(i) !== 'minute') i += 1;
  if (isPause) i = skip(word, i, /^(?:space|room|time|of|free|break|gap|clear)$/);
  const isBetween =
    /^(?:between|before|after|around)$/.test(word(i)) &&
    /^(?:meeting|calls?|each|every|my|any|them|one|all)$/.test(word(i + 1));
  if (!isBetween && !(isPause && /^(?:breather|buffers?|breathing)$/.test(word(at === i ? at : i - 1))))
    return undefined;
  if (amount === undefined && !isPause) return undefined;
  if (isBetween) i = skip(word, i + 2, /^(?:meeting|calls?|one|of|them|and)$/);
  const minutes = amount?.minutes;
  if (minutes !== undefined && (minutes > 120 || !Number.isInteger(minutes))) return undefined;
  return { tag: 'B', rule: { kind: 'buffer', verdict: 'wanted', ...(minutes && { minutes }) }, next: i };
}

/** Reads how many meetings a day may hold: "no more than three meetings a day", "max 4 calls per day". */
export function limitAt(word: (i: number) => string, at: number): Moving | undefined {
  let i = at;
  const most = MOST(word, i);
  i += most;
  const count = numberOf(word(i));
  if (count === undefined || count < 1 || count > 10) return undefined;
  i = skip(word, i + 1, /^(?:external|client|video|of|these|back)$/);
  if (/^(?:meeting|calls?|sessions?|appointment|one)$/.test(word(i))) i += 1;
  else if (most === 0) return undefined;
  if (!(/^(?:a|per|each|in|every)$/.test(word(i)) && /^(?:day|a|one|any)$/.test(word(i + 1)))) return undefined;
  i += word(i) === 'in' ? 3 : 2;
  if (/^(?:max|maximum|tops)$/.test(word(i))) i += 1;
  else if (word(i) === 'at' && word(i + 1) === 'most') i += 2;
  return { tag: 'Z', rule: { kind: 'most_per_day', most: count }, next: i };
}
