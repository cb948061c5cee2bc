import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Box } from '../../engine/wish/reading.ts';
import type { Clause } from './clauses.ts';
import type { Part } from './parts.ts';
import type { Progress } from './progress.ts';
import { MARGIN } from './refusals.ts';
import type { Verdict } from './verdicts.ts';

/**
 * Returns what to remember of a commitment that starts at a clock time, because later words may say how long it takes.
 * Returns undefined for any other part.
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
        mention?.kind === 'clock' && (bound ? /^(?:from|after)$/.test(bound) : !/\d|noon| to | and |until/.test(text)),
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
  /^(?:(?:and|then) )?(?:(?:it|that|this) )?(?:ends?|finish(?:es|ing)?|done|over|wraps? up|finished|is over|is done)\b/;

/** Gives the commitment that was just named its end: "the exam begins at 2 and ends at 5". */
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
  return true;
}

/** Returns true for "it is at 2" after a clause that names a commitment. */
export const isItsTime = ({ verdict, words, after }: Part, { isAfterCommitment }: Progress): boolean =>
  isAfterCommitment &&
  verdict === 'wanted' &&
  after === '' &&
  /^(?:it|that|this|they|which) (?:is|are)(?: (?:on|at|from))?$/.test(words);
