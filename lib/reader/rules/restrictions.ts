import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, Rule } from '../../engine/wish/reading.ts';
import type { Clause } from './clauses.ts';
import { isPlace } from './group.ts';
import type { Part } from './parts.ts';
import type { Progress } from './progress.ts';
import { rulesFor } from './standing.ts';

/**
 * Returns the rules of the only times in a scheduling context. Days that are listed one after another add up: "Part
 * time: Mon 9 to 2, Tue 9 to 4".
 */
export function onlyRules(boxes: Box[], quote: string, isOutside: boolean, progress: Progress): Rule[] {
  const { reading, purpose, only } = progress;
  const daysOf = (all: readonly Box[]) =>
    all.flatMap(
      ({ weekdays, dates }) => weekdays ?? dates?.map(({ first = 0 }) => weekdayIndex(first)) ?? [0, 1, 2, 3, 4],
    );
  const isApart = only !== undefined && !daysOf(boxes).some((day) => daysOf(only.boxes).includes(day));
  const isMore = purpose === 'context' && (isApart || (only !== undefined && isOutside && !only.isOutside));
  if (isMore) reading.standing = reading.standing.filter((rule) => !only?.rules.includes(rule));
  const all = isMore && only?.isOutside === isOutside ? [...only.boxes, ...boxes] : boxes;
  const rules = rulesFor(all, true, quote);
  progress.only = { boxes: all, rules, isOutside };
  return rules;
}

/** Returns true for "by 4 I'm toast", which says how the person is from then on, in a scheduling context. */
export const isFading = ({ items, words, before, after }: Part, purpose: Progress['purpose']): boolean =>
  purpose === 'context' &&
  items.length === 1 &&
  items[0]?.bound === 'by' &&
  !/late/.test(items[0].text) &&
  (words === ''
    ? /[xnbuh]/.test(after) && !/[agkm]/.test(after)
    : after === '' && /^[xub]+$/.test(before) && /\b(?:i|my|we|our)\b/.test(words) && /\b(?:is|am|are)\b/.test(words));

/** Turns the days or hours up to a time into those from it on. */
export const fromThen = ({ dates, clock, ...box }: Box): Box => ({
  ...box,
  ...(clock && { clock: { from: clock.to, to: DAY_MINUTES } }),
  ...(dates && { weekdays: [0, 1, 2, 3, 4, 5, 6].slice(weekdayIndex(dates[0]?.last ?? 0)) }),
});

/** Returns true for the hours of something to steer clear of: "not during the school run, 3 to 4". */
export const isOfAvoided = ({ verdict, isBare, words }: Part, { joint }: Clause, { avoided }: Progress): boolean =>
  avoided !== undefined &&
  verdict === 'wanted' &&
  ((isBare && (avoided === 'clearly' ? /^[,(:;—-]$/ : avoided === 'heading' ? /^:$/ : /^\($/).test(joint)) ||
    /^(?:it|that|this|they|which|those) (?:is|are)(?: (?:on|at|from))?$/.test(words));

/**
 * Tells if a clause steers clear of something without naming its time, as "just not in assembly" does. The result is
 * `thing` if it only calls something bad: "mealtimes are no good".
 */
export const avoidedIn = ({ items, isAsked }: Clause): Progress['avoided'] => {
  if (items.some(({ mention }) => mention)) return undefined;
  const words = items.map(({ text }) => text).join(' ');
  const isThing = items.some(({ tag }) => /[xdu]/.test(tag));
  if (isThing && AVOIDS.test(words)) return 'clearly';
  if (!isAsked && HEADING.test(words)) return 'heading';
  return isThing && !isAsked && items.some(({ tag }) => tag === 'b') ? 'thing' : undefined;
};

/** Headings of a list of the only times, such as "working days". */
export const AVAILABLE =
  /^(?:(?:my|our|current|usual) )*(?:available|availability|free|free (?:slots?|times?)|(?:work(?:ing)?|office|contact|core|meeting) (?:hours|days|times)|hours|days|slots?|timetable|(?:when )?i am (?:free|available|in)|phased return|reduced hours|shorter (?:days|hours)|half days)$/;

/** Headings of a list of times to stay clear of, such as "never at peak" and "do not book". */
const HEADING = /^(?:please )?(?:never|no|not|avoid|do not (?:book|schedule|call|plan|use)|keep (?:free|clear))\b/;

const AVOIDS =
  /\b(?:not|never|nothing|none) (?:(?:it|that|this|is|any|please) )*(?:during|in|at|while|when|over|on)\b|\b(?:avoid\w*|not (?:clash|collid|conflict|overlap)\w*|clear of|away from|out of|(?:work|fit|plan|schedule|book)(?:ing)?(?: (?:it|this|things|me|us))? (?:a)?round|outside(?: of)?|except(?: for)?|apart from|other than|anything but)\b/;

/** Returns true for a clause that does not hold in general: "on holiday next week", "if it must be Friday". */
export const isOccasional = ({ items }: Clause): boolean =>
  /^if(?: (?:we|it|it is|you|they|this|that))?$/.test(items[0]?.text ?? '') ||
  // The numbers in "two kids, 4 and 7" count years.
  (items.some(isPlace) && items.every(({ tag, text }) => /[&,ox]/.test(tag) || /^\d{1,2}$/.test(text))) ||
  items.some(
    ({ mention, text }) =>
      (SEASON.test(text) && !items.some((item) => item.mention?.kind === 'weekdays')) ||
      (mention?.kind === 'days' && mention.weekday === undefined && !mention.isSpan && !PART_OF_ANY_WEEK.test(text)),
  );

/** Returns true for what a scheduling context says of others and not of the person: "the team is off on Fridays". */
export const isOfOthers = ({ items }: Clause): boolean => {
  const words = items.map(({ text }) => text).join(' ');
  return OF_OTHERS.test(words) && !/\b(?:i|me|we|us)\b/.test(words);
};

const OF_OTHERS =
  /^(?:my|our|the) (?:\w+ )?(?:wife|husband|partner|boss|manager|team|assistant|pa|secretary|colleagues?|clients?|customers?|flatmates?|neighbou?rs?) (?!(?:and|or|calls?|meetings?|sync|standup|lunch|review|visits?|is here|are here|has me|needs me)\b)/;

const SEASON = /^(?:summer|winter|autumn|spring|ramadan|lent|advent)$/;
const PART_OF_ANY_WEEK = /\b(?:of|in) the week$|\bmid ?week$/;

/** Returns true for the time in "Monday mornings: planning", which is not asked for. */
export const isHeading = ({ items }: Clause, next: Clause | undefined): boolean =>
  next?.joint === ':' &&
  items.every((item) => isPlace(item) || item.tag === 'f') &&
  !next.items.some(({ mention }) => mention);

/** Returns true for a clause that names a commitment, but no time and no wish. */
export const namesCommitment = ({ items, isAsked }: Clause): boolean => {
  if (isAsked || items.at(-1)?.tag === 'k' || items.some(({ mention }) => mention)) return false;
  // "Please keep my lunch free" asks for no meeting.
  if (items.some(({ tag }) => tag === 'c')) return !items.some(({ tag }) => /[mpqn]/.test(tag));
  return items.some(({ tag }) => tag === 'h' || tag === 'd') && !items.some(({ tag }) => /[agmpqn]/.test(tag));
};

/** Returns true for what keeps somebody busy, such as "teaching this term" before a list of its times. */
export const namesWork = ({ items, isAsked }: Clause): boolean =>
  !isAsked && items.some(({ tag }) => tag === 'u') && items.every(({ tag, mention }) => /[ufvx]/.test(tag) && !mention);
