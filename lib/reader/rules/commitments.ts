import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, DateSpan } from '../../engine/wish/reading.ts';
import type { Clause } from './clauses.ts';
import type { Part } from './parts.ts';
import type { Progress } from './progress.ts';
import { MARGIN } from './refusals.ts';
import type { Item } from './scan.ts';
import type { Verdict } from './verdicts.ts';

/**
 * Returns what the reader must remember of a commitment at a clock time, such as "lunch at 1", because later words may
 * say how long it takes. Returns undefined for anything else.
 */
export function obstacleOf(
  { items }: Part,
  boxes: Box[],
  verdict: Verdict,
  { reading, purpose }: Progress,
): Progress['obstacle'] {
  const isAt = items.some(
    ({ mention, bound }) =>
      mention?.kind === 'clock' && mention.isPoint && (bound === undefined || bound === 'at' || bound === 'from'),
  );
  const [box] = boxes;
  if (verdict !== 'obstacle' || !isAt || box?.clock === undefined) return undefined;
  const margin = purpose === 'reason' ? MARGIN : 0;
  return { from: box.clock.from, margin, box: reading.refused.length, rules: reading.standing.length, isEvent: true };
}

const OURSELVES = /\b(?:i|we|me|us|my|our)\b/;

/**
 * Returns true for hours or days that contain the meeting's old time, in a statement with words that the rules do not
 * know: "they fit the boiler on Wednesday between 1 and 5". Nobody asks for the very time that they want to move away
 * from, so the statement names what keeps them from the meeting.
 */
export function coversMeeting(
  { items, before, after }: Part,
  boxes: readonly Box[],
  clause: Clause,
  { purpose, calendar: { oldDay, oldMinute, durationMinutes } }: Progress,
): boolean {
  const isStatement = !clause.isAsked && !clause.items.some(({ tag }) => /[agkcspqmwz]/.test(tag));
  if (purpose === 'context' || !isStatement || /[ng]/.test(`${before}${after}`)) return false;
  if (
    items.some(
      ({ mention, bound, text }) =>
        mention?.kind === 'clock' &&
        (bound ? /^(?:from|after|by)$/.test(bound) : !/\d|noon| to | and |until/.test(text)),
    )
  )
    return false;
  return (
    boxes.length > 0 &&
    boxes.every(({ dates, weekdays, clock }) => {
      if (weekdays) return false;
      const onDay = dates?.some(({ first = -1e9, last = 1e9 }) => first <= oldDay && oldDay <= last) ?? true;
      const isLong =
        dates !== undefined &&
        (dates.length > 1 || dates.some(({ first, last }) => first !== last)) &&
        !items.some(({ text }) => /week|month/.test(text));
      if (!onDay) return false;
      if (clock === undefined && !clause.items.some(({ text }) => OURSELVES.test(text))) return false;
      return clock
        ? clock.from <= oldMinute && oldMinute + durationMinutes <= clock.to && clock.to - clock.from > durationMinutes
        : isLong;
    })
  );
}

/** Words with which people speak of themselves, of the meeting, or of a thing for it. */
const ABOUT_MEETING =
  /\b(?:as (?:usual|planned|agreed)|still|see|join|dial|link|speakers?|slides?|deck|agenda|invite|zoom|teams|notes|minutes|emails?|feedback|room|meetings?|calls?|thanks|says?|goes|reckons|thinks?|takes?|i|we|me|us|you|he|she|they|it)\b/;
/** Words of people who ask about the meeting or confirm it: "confirming Wednesday at 3". */
const ARRANGING = /^(?:confirm|attend|join|com|keep|dial|call|see|meet|think|hop|remind|check|expect|await|look)ing$/;

/** Returns true for a word in "-ing" unless it is an occupation with a thing: "registering the baby". */
const isArranging = (word: string, others: readonly Item[]): boolean =>
  /ing$/.test(word) &&
  (ARRANGING.test(word) ||
    !/^(?:the|my|our|a|an|his|her|their|for)$/.test(
      others[others.findIndex(({ text }) => text === word) + 1]?.text ?? '',
    ));

/** The minutes for which people are taken to be busy with something that they name without its length. */
const USUAL_LENGTH = 60;

/**
 * Returns true for something unknown that the text only names with a time at or close to the meeting's: "root canal at
 * 2:30 on Wednesday", "strike on Wednesday". Nobody asks for the time that they want to move away from.
 */
export function isNamedBesideMeeting(
  { items, before, after, length = USUAL_LENGTH }: Part,
  boxes: readonly Box[],
  clause: Clause,
  { purpose, calendar: { oldDay, oldMinute, durationMinutes } }: Progress,
): boolean {
  const [box, ...more] = boxes;
  const others = clause.items.filter(({ mention }) => !mention);
  const isNamed =
    /^[xd][xdj]{0,6}$/.test(before) && /^[xd]{0,3}$/.test(after) && others.every(({ tag }) => /[xdfjtv]/.test(tag));
  if (purpose === 'context' || clause.isAsked || box === undefined || more.length > 0 || !isNamed) return false;
  if (
    others.some(
      ({ text, tag }) => ABOUT_MEETING.test(text) || (tag === 'x' && (/\d/.test(text) || isArranging(text, others))),
    )
  )
    return false;
  if (box.weekdays || box.dates?.some(({ first, last }) => first !== oldDay || last !== oldDay)) return false;
  if (box.clock === undefined)
    return (
      box.dates !== undefined &&
      items.every(({ bound }) => bound === undefined) &&
      others.every(({ tag, text }) => tag !== 't' && !/^(?:for|from|about|of|since|by|until|to|than|like)$/.test(text))
    );
  const { from, to } = box.clock;
  const isBound = ({ bound }: Item) => bound !== undefined && bound !== 'at' && bound !== 'around';
  if (items.some(isBound)) return false;
  if (!items.some(({ mention }) => mention?.kind === 'clock' && mention.isPoint))
    return box.dates !== undefined && from <= oldMinute && oldMinute + durationMinutes <= to;
  return from - MARGIN < oldMinute + durationMinutes && oldMinute < from + length + MARGIN;
}

const RETURNS = /\b(?:back|return\w*|land\w*|home|arriv\w*|gets? in(?:to)?)\b/;

/**
 * Returns all days before a return, if the text puts the return on a day after the meeting's: "landing Thursday at
 * 6pm".
 */
export function awayUntil(
  { words }: Part,
  boxes: readonly Box[],
  verdict: Verdict,
  { purpose, calendar }: Progress,
): Box[] {
  const [box] = boxes;
  const first = box?.dates?.[0]?.first;
  const isReturn = verdict === 'starts' && purpose === 'reason' && box?.clock !== undefined && RETURNS.test(words);
  return isReturn && first !== undefined && first > calendar.oldDay ? [{ dates: [{ last: first - 1 }] }] : [];
}

const ENDING =
  /^(?:(?:and|then) )?(?:(?:it|that|this|i|we) )?(?:(?:should|will|would|might|may) )?(?:be )?(?:ends?|finish(?:es|ing)?|done|over|out|through|wraps? up|finished|is over|is done)\b/;

/** Sets the end of the commitment that the text named before: "the exam begins at 2 and ends at 5". */
export function endsObstacle(
  { items, words }: Part,
  boxes: readonly Box[],
  verdict: Verdict,
  { reading, obstacle }: Progress,
) {
  const [item] = items;
  const [clock] = boxes.map((box) => box.clock);
  if (verdict !== 'leaves' || !obstacle?.isEvent || !clock || !ENDING.test(words) || items.length !== 1 || !item)
    return false;
  const refused = reading.refused[obstacle.box];
  const to = item.bound === 'by' || item.bound === 'until' || item.bound === 'before' ? clock.to : clock.from;
  if (refused?.clock === undefined || to <= obstacle.from) return false;
  refused.clock = { from: refused.clock.from, to: Math.min(DAY_MINUTES, to + obstacle.margin) };
  obstacle.isTimed = true;
  return true;
}

/**
 * Returns true for "it is at 2", "(2 to 3)" and, in a statement about the meeting's own time, ", 2.40" after a clause
 * that names a commitment.
 */
export const isItsTime = (
  { verdict, words, after, isBare, items }: Part,
  { joint, isAsked }: Clause,
  boxes: readonly Box[],
  { isAfterCommitment, purpose, calendar }: Progress,
): boolean =>
  isAfterCommitment &&
  verdict === 'wanted' &&
  after === '' &&
  ((/^[()]$/.test(joint) && isBare) ||
    (/^[,:]$/.test(joint) &&
      isBare &&
      (purpose === 'context' || (!isAsked && boxes.every((box) => meetsOldTime(box, items, calendar))))) ||
    /^(?:it|that|this|they|which) (?:is|are)(?: (?:on|at|from))?$/.test(words) ||
    (!isAsked &&
      /^(?:they|it|he|she|who|which) (?:meets?|sits?|runs?|goes|happens?)(?: (?:on|at|from))?$/.test(words)));

/**
 * Returns true for days or hours that the meeting's old time lies in or close to. A clock time is taken to last for
 * USUAL_LENGTH.
 */
function meetsOldTime(
  { dates, weekdays, clock }: Box,
  items: readonly Item[],
  { oldDay, oldMinute, durationMinutes }: Progress['calendar'],
): boolean {
  const isNow = ({ first = 1e9, last = -1e9 }: DateSpan) => first <= oldDay && oldDay <= last;
  if ((weekdays && !weekdays.includes(weekdayIndex(oldDay))) || (dates && !dates.some(isNow))) return false;
  if (clock === undefined) return dates?.some(({ first, last }) => first !== last) ?? false;
  const isPoint = items.some(({ mention }) => mention?.kind === 'clock' && mention.isPoint);
  const to = isPoint ? clock.from + USUAL_LENGTH : clock.to;
  return clock.from - MARGIN < oldMinute + durationMinutes && oldMinute < to + MARGIN;
}

/**
 * Returns true for the one time at which somebody else can be seen, if it is the meeting's own: "the dentist could only
 * fit me in at 3". The person has to go there then, because nobody asks for the time that they want to move away from.
 */
export function isOnlyOfOthers(
  { words, items, verdict, after }: Part,
  boxes: readonly Box[],
  { purpose, calendar }: Progress,
): 'obstacle' | 'unknown' | undefined {
  if (purpose === 'context' || !/^(?:only|unknown)$/.test(verdict) || !/^[xd]*$/.test(after)) return undefined;
  const only = words.search(/\bonly\b/);
  const isOwn = /\b(?:i|we|you)\b/.test(words.replace(/\bwe (?=would only)/, ''));
  const others = /^the only|^only (?=[a-z]+ (?:the|my|our|they|he|she)\b)/.test(words)
    ? /\b(?:the|my|our|they|he|she) [a-z]+/.test(words.slice(9))
    : only > 0;
  const met = boxes.filter((box) => box.clock !== undefined && meetsOldTime(box, items, calendar));
  if (only < 0 || isOwn || !others || met.length === 0) return undefined;
  return met.length === boxes.length ? 'obstacle' : 'unknown';
}

/** Lets the wish begin at the end of the event that it follows: "after my exam. It is at 9, and I should be done by 11". */
export function endsEvent({ words, items }: Part, boxes: readonly Box[], { reading, isAfterEvent }: Progress): boolean {
  const [wish, clock, item] = [reading.wanted.at(-1), boxes[0]?.clock, items[0]];
  if (
    !isAfterEvent ||
    !wish?.clock ||
    !clock ||
    !item ||
    !/\b(?:finish\w*|done|over|out|through|free|ends?)\b/.test(words)
  )
    return false;
  wish.clock = { ...wish.clock, from: item.bound === 'by' || item.bound === 'before' ? clock.to : clock.from };
  return true;
}

/** Words for people whose hours say nothing of those of the person who writes. */
const COLLEAGUE =
  /^(?:(?:my|our|the|his|her) )?(?:[a-z]+ )?(?:manager|boss|supervisor|director|colleague|neighbou?r|flatmate|housemate|friend|mate|cousin|uncle|aunt|brother|sister|landlord|landlady|receptionist|intern)\b/;

/** Returns true for the hours of somebody else: "my boss won't do anything before ten". */
export const isHoursOfOthers = ({ words, items, verdict }: Part): boolean =>
  /^(?:refused|leaves|starts|unknown)$/.test(verdict) &&
  COLLEAGUE.test(words) &&
  !OURSELVES.test(words.replace(/^(?:my|our) /, '')) &&
  items.every(({ mention }) => mention?.kind === 'clock');
