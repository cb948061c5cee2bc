import { weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Refused } from '../../engine/wish/reading.ts';
import { addWanted } from './add-wanted.ts';
import { type Clause, PAST } from './clauses.ts';
import {
  awayUntil,
  coversMeeting,
  endsEvent,
  endsObstacle,
  isHoursOfOthers,
  isItsTime,
  isNamedBesideMeeting,
  isOnlyOfOthers,
  obstacleOf,
} from './commitments.ts';
import { boxesOf } from './group.ts';
import { isAllowed, isHours, isOutsideWork } from './offers.ts';
import type { Part } from './parts.ts';
import {
  afterTold,
  inherited,
  inOrder,
  isOldSlot,
  isPoliteQuestion,
  onThatDay,
  saysOddHour,
  withoutTerm,
} from './place-checks.ts';
import { type Progress, quoteOf } from './progress.ts';
import { edgeOf, fromOn, isVagueDeadline, landed, lengthened, refusedOf } from './refusals.ts';
import { fromThen, isFading, isOfAvoided, onlyRules } from './restrictions.ts';
import { withoutDays } from './spans.ts';
import { isGeneral, rulesAgainst, rulesFor, rulesWithin } from './standing.ts';
import type { Verdict } from './verdicts.ts';

/**
 * Words that say in which place somebody is, such as "am in Berlin". In a scheduling context they refuse no time. In a
 * reason they say why the meeting does not fit.
 */
const ABODE =
  /\b(?:am|are|be) (?:over |down |up )?in (?!(?:court|meetings?|surgery|theatre|clinics?|class|classes|school|transit|hospital|training|calls?|therapy|church|lectures?|labs?|the )\b)[a-z]+$/;

/**
 * Reads what a clause says of a day or clock time, such as "not on Thursday". Returns false if the rules do not
 * understand it.
 */
export function readPlace(part: Part, clause: Clause, progress: Progress): boolean {
  const { items, joint } = clause;
  const { reading, calendar, text, purpose } = progress;
  const named = afterTold(boxesOf(part.items, calendar), part, progress);
  const boxes = withoutTerm(named.map((one) => onThatDay(inOrder(one, joint, progress), part, progress)));
  if (boxes.length === 0) return false;
  if (
    part.verdict === 'wanted' &&
    part.isBare &&
    (clause.isPast || PAST.test(joint) || (joint === ',' && progress.isAfterPast && !clause.isAsked))
  )
    return true;
  const plain = boxes.map(({ box }) => box);
  if (
    part.side === 'kept' &&
    !/[gb]/.test(part.after) &&
    purpose === 'reason' &&
    plain.every((box) => isOldSlot(box, calendar))
  )
    return true;
  const quote = quoteOf(items, text);
  if (isFading(part, purpose)) {
    reading.standing.push(...rulesAgainst(plain.map(fromThen), clause, quote, false));
    progress.last = 'refused';
    return true;
  }
  const isOutside = isOutsideWork(part, plain, clause, progress);
  const isEnd = part.verdict === 'wanted' && part.before.endsWith('l') && plain.some(({ clock }) => clock);
  const isTurned = /^[agvdu]*e$/.test(part.before) && isAgainst(progress.last);
  if (isTurned && !excepted(plain, progress)) return false;
  const verdict = isTurned
    ? 'wanted'
    : isItsTime(part, clause, plain, progress)
      ? 'obstacle'
      : isOfAvoided(part, clause, progress)
        ? 'refused'
        : isOutside || isHours(part, plain, clause, progress)
          ? 'only'
          : part.isConditional && part.verdict === 'refused'
            ? 'wanted'
            : isEnd
              ? 'leaves'
              : (isOnlyOfOthers(part, plain, progress) ?? inherited(part, clause, progress));
  if (isHoursOfOthers(part)) return false;
  if (verdict === 'refused' && (isPoliteQuestion(clause) || (purpose === 'context' && ABODE.test(part.words))))
    return false;
  if (verdict === 'wanted' && isAgainst(progress.last)) inSameDay(part, plain, progress);
  const isAside = verdict === 'wanted' && part.isBare && /^[,(:]$/.test(clause.joint) && progress.last !== 'wanted';
  if (isAside && plain.every((box) => box.clock && !box.dates) && coversMeeting(part, plain, clause, progress)) {
    remember(refuse(boxes, part, progress, quote), progress);
    Object.assign(progress, { last: 'refused', antecedent: plain });
    return true;
  }
  // "Saturdays please, I work Monday to Friday" says when nothing will do.
  if (verdict === 'only' && progress.only?.isOutside && /\bwork/.test(part.words)) return true;
  if (verdict === 'obstacle' && isVagueDeadline(part)) return false;
  progress.last = verdict;
  if (endsObstacle(part, plain, verdict, progress) || endsEvent(part, plain, progress)) return true;
  // "Two hour meeting at 2" may be this meeting or another one.
  if (part.length !== undefined && verdict === 'wanted' && !/[ag]/.test(`${part.before}${part.after}`)) return false;
  if (
    purpose === 'context' &&
    verdict === 'only' &&
    !part.isDayLed &&
    !progress.isSoleTime &&
    !/^(?:is|are) when\b/.test(part.next) &&
    /^k/.test(part.after) &&
    plain.some(({ weekdays, dates, clock }) => clock && (weekdays ?? dates))
  )
    return false;
  if (verdict === 'wanted' && saysOddHour(part, boxes[0]?.box.clock, progress, quote)) return true;
  if (!/\bsince$/.test(part.words)) progress.antecedent = boxes.map(({ box }) => box);
  if (verdict === 'refused' && ANY_BUT.test(part.words)) addWeekOf(part, progress, quote);
  switch (verdict) {
    case 'told':
      return true;
    case 'unknown':
      if (isNamedBesideMeeting(part, plain, clause, progress)) {
        progress.obstacle = obstacleOf(part, plain, 'obstacle', progress);
        remember(refuse(boxes, part, progress, quote, true), progress);
        return true;
      }
      if (!coversMeeting(part, plain, clause, progress)) return false;
      remember(refuse(boxes, part, progress, quote), progress);
      return true;
    case 'wanted':
    case 'only':
    case 'push':
    case 'pull':
      if (isGeneral(plain, part, clause, purpose) && !isAllowed(part, plain)) {
        const rules =
          verdict !== 'only'
            ? rulesFor(plain, false, quote)
            : part.isDayLed
              ? rulesWithin(plain, quote)
              : onlyRules(plain, quote, isOutside, progress);
        reading.standing.push(...rules);
      }
      addWanted(
        boxes.map(({ box }) => ({
          ...(verdict === 'push' ? fromOn(box, part) : box),
          strength: verdict === 'only' ? 'must' : 'rather',
          quote,
        })),
        progress,
        joint,
      );
      return true;
    case 'refused':
    case 'obstacle':
      progress.isOutspoken ||=
        verdict === 'refused' &&
        (/[nbce]/.test(`${part.before}${part.after}`) ||
          (progress.isSoleTime && plain.every(({ clock }) => clock === undefined)));
      progress.obstacle = obstacleOf(part, plain, verdict, progress);
      refuse(boxes, part, progress, quote, verdict === 'obstacle' && purpose === 'reason');
      if (isGeneral(plain, part, clause, purpose))
        reading.standing.push(
          ...rulesAgainst(reading.refused.slice(-boxes.length), clause, quote, verdict === 'obstacle'),
        );
      else if (verdict === 'obstacle' || part.side === 'busy' || /[rlu]/.test(part.before))
        remember(reading.refused.slice(-boxes.length), progress);
      return true;
    case 'leaves':
    case 'starts': {
      const edges = boxes.map(({ box, isNamed }) => edgeOf(box, isNamed, part, verdict, calendar));
      if (edges.some((edge) => edge === undefined)) return false;
      progress.isOutspoken ||= verdict === 'leaves';
      const [edge] = edges;
      if (verdict === 'starts' && edge?.clock)
        progress.obstacle = {
          from: edge.clock.to,
          margin: 0,
          box: reading.refused.length,
          rules: reading.standing.length,
        };
      for (const one of edges) if (one) reading.refused.push({ ...landed(one, part, purpose), quote });
      reading.refused.push(...awayUntil(part, plain, verdict, progress).map((one) => ({ ...one, quote })));
      if (isGeneral(plain, part, clause, purpose))
        reading.standing.push(...rulesAgainst(reading.refused.slice(-edges.length), clause, quote, true));
      else remember(reading.refused.slice(-edges.length), progress);
      return true;
    }
  }
}

/** Records the days and hours that a part of a clause refuses, and returns them. */
function refuse(
  boxes: readonly { box: Box; isNamed: boolean }[],
  part: Part,
  { reading }: Progress,
  quote: string,
  isObstacle = false,
): Refused[] {
  const refused = boxes.map(({ box, isNamed }) => ({
    ...lengthened(refusedOf(box, isNamed, part, isObstacle), box, part),
    quote,
  }));
  reading.refused.push(...refused);
  return refused;
}

const ANY_BUT = /\b(?:any|every|all) ?(?:days?|time)?\b/;

/** Adds a whole week to the wanted days, as "any day but Friday next week" asks for. */
function addWeekOf({ items }: Part, progress: Progress, quote: string): void {
  const [item, ...more] = items;
  if (item?.mention?.kind !== 'days' || more.length > 0 || item.bound || !/ week$/.test(item.text)) return;
  const monday = item.mention.first - weekdayIndex(item.mention.first);
  addWanted([{ dates: [{ first: monday, last: monday + 6 }], strength: 'rather', quote }], progress, '');
}

/** Keeps refused hours that have no day, because a later clause may show that they belong to the meeting's day. */
function remember(refused: Refused[], { ofOneDay, purpose }: Progress): void {
  if (purpose === 'reason')
    ofOneDay.push(...refused.filter(({ dates, weekdays, clock }) => clock && !dates && !weekdays));
}

/** Gives hours the day of the hours that were just refused: "not Thursday morning, the afternoon is fine". */
function inSameDay({ items }: Part, boxes: readonly Box[], { antecedent, reading }: Progress): void {
  const [last, ...more] = antecedent;
  const isOne = last?.dates?.length === 1 && last.clock !== undefined && more.length === 0;
  if (!isOne || reading.wanted.length > 0 || items.some(({ text }) => /s$/.test(text))) return;
  for (const box of boxes) if (box.clock && !box.dates && !box.weekdays) box.dates = last.dates;
}

export const isAgainst = (verdict: Verdict | undefined) => verdict === 'refused' || verdict === 'obstacle';

/**
 * Takes the days of an exception out of the days refused last: "out all week except Friday". Returns false, and takes
 * out nothing, unless both name plain dates.
 */
function excepted(boxes: readonly Box[], { reading }: Progress): boolean {
  const last = reading.refused.at(-1);
  const days = boxes.flatMap(({ dates, weekdays, clock }) => (dates && !weekdays && !clock ? dates : [undefined]));
  if (last?.dates === undefined || last.weekdays || days.includes(undefined)) return false;
  last.dates = days.reduce<DateSpan[]>((left, day) => withoutDays(left, day ?? {}), last.dates);
  return true;
}
