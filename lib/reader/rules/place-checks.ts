import { weekdayIndex } from '../../engine/time/dates.ts';
import type { Box } from '../../engine/wish/reading.ts';
import type { Clause } from './clauses.ts';
import type { Part } from './parts.ts';
import type { Progress } from './progress.ts';
import type { Verdict } from './verdicts.ts';

/**
 * Returns true if the named days and hours are the meeting's present time, as in "keep Wednesday at 3" for a meeting on
 * Wednesday at 3.
 */
export const isOldSlot = ({ dates, weekdays, clock }: Box, { oldDay, oldMinute }: Progress['calendar']): boolean =>
  weekdays === undefined &&
  (dates ?? [{ first: oldDay, last: oldDay }]).every(({ first, last }) => first === oldDay && last === oldDay) &&
  (clock === undefined || clock.from === oldMinute);

/** Leaves out a limit that only says until when a weekday recurs: "on Mondays through December". */
export const withoutTerm = <T extends { box: Box }>(boxes: T[]): T[] =>
  boxes.some(({ box }) => box.weekdays)
    ? boxes.filter(({ box: { dates, clock } }) => clock || dates?.length !== 1 || dates[0]?.first !== undefined)
    : boxes;

const TOO_EARLY = 8 * 60;
const TOO_LATE = 19 * 60;

/**
 * Reads "it is 4am for me" as a complaint. It applies to hours before 8:00 and from 19:00 on, which nobody asks for
 * without saying so.
 */
export function saysOddHour(part: Part, clock: Box['clock'], { reading, calendar }: Progress, quote: string): boolean {
  const [item] = part.items;
  const isPoint = item?.mention?.kind === 'clock' && item.mention.isPoint && item.bound === undefined;
  if (!isPoint || clock === undefined || /[agkm]/.test(part.before) || part.items.length > 1) return false;
  const isOdd = clock.from < TOO_EARLY || clock.from >= TOO_LATE;
  if (!isOdd || (Math.abs(clock.from - calendar.oldMinute) > 60 && !/[vf]/.test(part.led))) return false;
  reading.moves.push({ direction: clock.from < TOO_EARLY ? 'later' : 'earlier', what: 'clock', exactly: false, quote });
  return true;
}

/** Puts "Wed" in "next week Mon, Wed" and in "next week, Wed" into next week, too. */
export function inOrder(
  one: { box: Box; isNamed: boolean; isSpan?: boolean },
  joint: string,
  { antecedent }: Progress,
): typeof one {
  const [week] = antecedent.length === 1 ? (antecedent[0]?.dates ?? []) : [];
  const [span] = one.box.dates ?? [];
  const isWeek = week?.first !== undefined && week.last === week.first + 6 && weekdayIndex(week.first) === 0;
  const isPlain = span?.first !== undefined && span.last !== undefined && (one.isNamed || one.isSpan === true);
  if (isWeek && isPlain && /^(?:,|-|:|\(|\)|—)$/.test(joint) && (span.first ?? 0) < (week.first ?? 0)) {
    const moved = (one.box.dates ?? []).map(({ first = 0, last = first }) => {
      const day = (week.first ?? 0) + weekdayIndex(first);
      return { first: day, last: day + last - first };
    });
    return { ...one, box: { ...one.box, dates: moved } };
  }
  const [day, last] = [one.box.dates?.[0]?.first, antecedent.at(-1)?.dates?.at(-1)];
  if (!one.isNamed || joint !== ',' || day === undefined || last?.first === undefined || last.first !== last.last)
    return one;
  const isEarlier = day < last.first && last.first - day < 7 && weekdayIndex(day) > weekdayIndex(last.first);
  return isEarlier ? { ...one, box: { ...one.box, dates: [{ first: day + 7, last: day + 7 }] } } : one;
}

/**
 * Returns true for "could we not do Friday instead?" and "is Friday out of the question?". Such a question may well ask
 * for Friday.
 */
export const isPoliteQuestion = ({ items, isAsked }: Clause): boolean => {
  const [first] = items;
  if (isAsked !== true && !items.some(({ text }) => text === 'instead')) return false;
  if (first === undefined || !/^(?:could|can|would|why|is|are|any|do|does)\b/.test(first.text)) return false;
  const denial = items.findIndex(({ tag, text }) => tag === 'n' && /\bnot\b/.test(text));
  if (isAsked && /\bno (?:chance|way|possibility)\b/.test(items.map(({ text }) => text).join(' '))) return true;
  return (
    (denial >= 0 && denial <= 1 && !/\bplease\b/.test(first.text)) ||
    (/^(?:is|are|would)\b/.test(first.text) && items.some(({ tag }) => tag === 'b' || tag === 'u'))
  );
};

/** Puts "later that day" on the day that was named last: "Friday would do, the later that day the better". */
export function onThatDay<T extends { box: Box }>(
  one: T,
  { items, verdict }: Part,
  { antecedent, calendar }: Progress,
): T {
  const [day, ...more] = antecedent.length === 1 ? (antecedent[0]?.dates ?? []) : [];
  const isOneDay = day?.first !== undefined && day.first === day.last && more.length === 0;
  const isMeant =
    !/refused|obstacle/.test(verdict) && items.some(({ text }) => /\b(?:that|same) (?:same )?day$/.test(text));
  const isOld = one.box.dates?.every(({ first, last }) => first === calendar.oldDay && last === first) ?? false;
  return isOneDay && isMeant && isOld ? { ...one, box: { ...one.box, dates: [day] } } : one;
}

const AFTER_TOLD = /^the \S+(?: or \S+)? (?:after(?: that)?|following)$/;

/** Moves "the Monday after" behind the day that was named last: "we break up on the 18th, so the Monday after". */
export function afterTold<T extends { box: Box }>(boxes: T[], { items }: Part, { antecedent }: Progress): T[] {
  const told = antecedent.length === 1 ? antecedent[0]?.dates?.at(-1)?.last : undefined;
  if (told === undefined || items.length !== 1 || !AFTER_TOLD.test(items[0]?.text ?? '')) return boxes;
  return boxes.map((one) => {
    const weeks = Math.max(0, Math.ceil((told + 1 - (one.box.dates?.[0]?.first ?? told + 1)) / 7));
    const dates = one.box.dates?.map(({ first, last }) => ({
      first: first === undefined ? first : first + 7 * weeks,
      last: last === undefined ? last : last + 7 * weeks,
    }));
    return { ...one, box: { ...one.box, ...(dates && { dates }) } };
  });
}

/** Words for people other than the two who meet. */
const OTHERS =
  /^(?:kids?|children|sons?|daughters?|boss|manager|wife|husband|partner|mum|mom|dad|parents|team|customers?|colleagues?|people|he|she|they|his|her|their)$/;

/**
 * Returns the verdict on a time, such as wanted or refused. A time that a clause merely adds, as in "and probably
 * tomorrow", shares the verdict on the time before it.
 */
export function inherited(
  { verdict, before, after, isBare, next, items, words }: Part,
  { joint, isAsked, items: said }: Clause,
  { last, isAfterRequest }: Progress,
): Verdict {
  const others = said.filter(({ text }) => OTHERS.test(text));
  // "Ana can only do Tuesday" and "the kids, Wednesday at 1" speak of others.
  if (verdict === 'wanted' && isBare && !isAsked && others.length > 0) return 'unknown';
  // The days in "In surgery (mine, not theatre) from Wednesday to Sunday" belong to the words before the bracket, so
  // they count as not understood.
  if (verdict === 'wanted' && isBare && joint === ')' && last !== 'wanted') return 'unknown';
  // "It must not clash with my class, which is 3 to 4" says when the class is.
  if (verdict === 'wanted' && /^which (?:is|are)\b/.test(words) && !isAfterRequest) return 'unknown';
  // "Viva moved, it's 2pm Wed" says when the viva is.
  if (
    verdict === 'wanted' &&
    after === '' &&
    joint === ',' &&
    !isAsked &&
    !isAfterRequest &&
    last === undefined &&
    /^(?:it|that|this) is(?: now)?$/.test(words)
  )
    return 'unknown';
  // The hours in "this clashes with the review (2 to 4)" are not asked for.
  if (verdict === 'wanted' && isBare && joint === '(' && last === undefined && !isAfterRequest) return 'unknown';
  if (verdict !== 'wanted' || before !== '' || !isBare || last === undefined) return verdict;
  if (joint === 'and' || joint === 'or') return last;
  if (joint === ',' && /^(?:too|as well|also|likewise)\b/.test(next)) return last;
  if (/^any (?:time|day|slot)$|^(?:anytime|whenever)$/.test(words)) return verdict;
  // "Four is rough, half past two?" offers a time, and so does "not this Wednesday, the next one".
  if (/^the (?:next|one|following)/.test(items[0]?.text ?? '')) return verdict;
  // The days in "Moved twice, first from the 18th, then from the 25th" only tell what happened, so they count as not
  // understood.
  if (joint === 'otherwise' && last === 'unknown' && items[0]?.bound === 'from') return 'unknown';
  const isAside = joint === ',' ? !isAsked : joint === '(' || joint === ':';
  return isAside && (last === 'refused' || last === 'obstacle' || last === 'unknown') ? 'unknown' : verdict;
}
