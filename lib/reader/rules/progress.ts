import type { Box, Reading, Refused, Rule, Wanted } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import type { Item } from './scan.ts';
import type { Purpose } from './standing.ts';
import type { Verdict } from './verdicts.ts';

/** A clause that the rules did not understand, with the days and hours that it names. */
export interface Unclear {
  items: Item[];
  boxes: Box[];
}

/** How much had been read before the clause that named the last time. */
export interface Told {
  refused: number;
  standing: number;
  unread: number;
  doubts: number;
  unclear: number;
  ofOneDay: number;
}

/** State of the reader while it reads a text from left to right. */
export interface Progress {
  reading: Reading;
  text: string;
  calendar: Calendar;
  purpose: Purpose;
  /** The days and hours that the text named last, to which "before then" refers. */
  antecedent: Box[];
  /** How much had been read before the clause that named the last time, so that a later clause can correct it. */
  told?: Told | undefined;
  /** The index in `reading.wanted` of the first wish after the last "otherwise" in the text. */
  since: number;
  /**
   * Last commitment that starts at a clock time, such as "I have lunch at 1", because later words may say how long it
   * takes. `box` is the index of its time in `reading.refused`, and `rules` the index of its first rule in
   * `reading.standing`. `from` and `margin` are in minutes. `isTimed` is true once the text named its end.
   */
  obstacle?:
    | { from: number; margin: number; box: number; rules: number; isEvent?: boolean; isTimed?: boolean }
    | undefined;
  /**
   * The verdict on the time that was read last, such as `refused`. It also holds for a time that the next clause merely
   * adds, such as "and Friday".
   */
  last?: Verdict | undefined;
  /**
   * True in a clause after "so", such as "so Friday it is". Days that it asks for replace the days asked for before.
   */
  isConclusion: boolean;
  /**
   * The days and hours named in clauses that the rules did not understand. The text may ask for them or refuse them.
   */
  doubts: Box[];
  /** The clauses that the rules did not understand although they speak of a time, ask for something or hold a number. */
  unclear: Unclear[];
  /** True if the text rules a time out in so many words, as in "not Thursday", "out on Thursday" and "I leave at 4". */
  isOutspoken: boolean;
  /** True if the text asks for something that is no time and that the rules do not understand: "can we make it a call". */
  asksForMore: boolean;
  /** True if the clause before named a commitment without its time: "I take my mum to the doctor, it's at 2". */
  isAfterCommitment: boolean;
  /** True if the clause before asked for something or approved of it, so that a time in brackets may be meant for it. */
  isAfterRequest: boolean;
  /** True if the clause before says "only" and names no time: "I only take calls in the quiet bit, 2 to 4". */
  isAfterOnly: boolean;
  /** True if the clause before named the time of an event that the meeting is to follow or precede. */
  isAfterEvent: boolean;
  /** Set if the clause before steers clear of something whose time may follow: "not during the school run, 3 to 4". */
  avoided?: 'clearly' | 'heading' | 'thing' | undefined;
  /**
   * The only times of a scheduling context so far, with their rules. More of them may follow, and `isOutside` is true if
   * they lie in evenings or at weekends.
   */
  only?: { boxes: Box[]; rules: Rule[]; isOutside: boolean } | undefined;
  /** True if the clause before spoke of the past. In "the last time I came, on a Friday", Friday is no wish. */
  isAfterPast: boolean;
  /**
   * Refused hours without a day, as in "I am not back before 6pm". They later get the meeting's day if the text asks
   * for no other day.
   */
  ofOneDay: Refused[];
  /** True if the text names times in one clause alone, and the rules know its words. */
  isPlain: boolean;
  /** True if one clause of the text names days or hours, and no other. */
  isSoleTime: boolean;
  /** True if the text asks for hours that the rules did not understand: "14:00 CET is best". */
  lacksHours: boolean;
  /** True if the text asks for a day or hours that the rules did not understand: "first half of Friday, please". */
  lacksWish: boolean;
  /**
   * The wishes that a correction took back. If the person corrects only the hours, the new wish keeps the days:
   * "Thursday at 2, no wait, 3" asks for Thursday at 3.
   */
  takenBack: Wanted[];
}

const JOINTS: ReadonlySet<string> = new Set(['&', 'o', ',', 'j', '-']);

/** Returns the words of the original text from the first item to the last. */
export function quoteOf(items: readonly Item[], text: string): string {
  const first = items.find(({ tag }) => !JOINTS.has(tag)) ?? items[0];
  return text.slice(first?.start ?? 0, items.at(-1)?.end ?? 0).trim();
}

export const BETWEEN_QUOTES = ' … ';

/**
 * Returns the pieces of the text that make up a quote. A quote may join pieces that do not stand together in the text.
 */
export const partsOfQuote = (quote: string): string[] => quote.split(BETWEEN_QUOTES);
