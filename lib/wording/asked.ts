import type { Decided, GivenUp, PickFacts } from '../scheduling/pick-facts.ts';
import type { Wish, WishPart } from '../scheduling/wish.ts';
import { HOURS } from '../scheduling/wish-parts.ts';
import { hasHours, partWords, periodWords } from './wish.ts';

/** Whose wish a reschedule follows; the words of it are read on the asker's clock. */
export interface Asked {
  email: string;
  timeZone: string;
  wish: Wish;
  /** When the meeting was to start. */
  oldStart: number;
  /** They told what they like rather than ask for it. */
  isTaste?: boolean | undefined;
}

/** The parts of the wish that are among the facts. */
export const partsIn = (facts: readonly (Decided | GivenUp)[]) =>
  facts.flatMap((fact) => (fact.kind === 'wish' ? [fact.part] : []));

/** What goes without saying beside a day that was asked for: that it is not too soon, and not on another day. */
const BESIDE_A_DAY: ReadonlySet<WishPart> = new Set(['notBeforeOldStart', 'datesUnwanted']);
/** As many dates are days; more are a span that may hold an unwanted weekday. */
const MOST_DAYS = 3;

/** The parts of the wish that the time meets, in words that stand after "it is". */
export function metWords({ decided, givenUp, start, end }: PickFacts, { wish, timeZone, oldStart }: Asked): string[] {
  const missesHours = hasHours(wish) && partsIn(givenUp).some((part) => HOURS.has(part));
  const parts = partsIn(decided).filter((part) => !(missesHours && HOURS.has(part)));
  const told = givenUp.some(({ kind }) => kind === 'shift') ? { ...wish, shiftMinutes: undefined } : wish;
  const isNamed = parts.some((part) => part === 'dates' || part === 'earliest');
  const isDay = parts.includes('dates') && (wish.dates ?? []).length <= MOST_DAYS;
  const period = parts.includes('earliest') && parts.includes('latest') ? periodWords(wish, timeZone) : undefined;
  const words = parts
    .filter((part) => !(BESIDE_A_DAY.has(part) && isNamed) && !(part === 'weekdaysUnwanted' && isDay))
    .map((part) => {
      if (period !== undefined && (part === 'earliest' || part === 'latest')) return period;
      const { met, words } = partWords(told, part, { timeZone, start, end, oldStart });
      return met ?? words;
    });
  const isSoonest =
    wish.closeness === 'soonest' && decided.some(({ kind }) => kind === 'soonest' || kind === 'only_time');
  return [...new Set(isSoonest ? [...words, 'the soonest both can'] : words)];
}
