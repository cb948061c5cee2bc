import { weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Refused } from '../../engine/wish/reading.ts';
import { type Clause, PAST } from './clauses.ts';
import { awayUntil, coversMeeting, endsObstacle, isItsTime, obstacleOf } from './commitments.ts';
import { boxesOf } from './group.ts';
import type { Part } from './parts.ts';
import { addWanted, type Progress, quoteOf } from './progress.ts';
import { edgeOf, fromOn, landed, lengthened, refusedOf } from './refusals.ts';
import { withoutDays } from './spans.ts';
import { isGeneral, rulesAgainst, rulesFor, rulesWithin } from './standing.ts';
import type { Verdict } from './verdicts.ts';

/**
 * Words that say in which place somebody is, such as "am in Berlin". In a scheduling context they refuse no time. In a
 * reason they say why the meeting does not fit.
 */
const ABODE =
  /\b(?:am|are|be) (?:over |down |up )?in (?!(?:court|meetings?|surgery|theatre|clinics?|class|classes|school|transit|hospital|training|calls?|therapy|church|lectures?|labs?|the )\b)[a-z]+$/;

/** Words that allow a time without preferring it. */
const ALLOWED = /\b(?:do not mind|does not matter|no problem|nothing against|can do|could do)\b/;

/** Reads a group of days and clock times. Returns false if what is said of it was not understood. */
export function readPlace(part: Part, clause: Clause, progress: Progress): boolean {
  const { items, joint } = clause;
  const { reading, calendar, text, purpose } = progress;
  const boxes = withoutTerm(boxesOf(part.items, calendar).map((one) => inOrder(one, joint, progress)));
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
  const isEnd = part.verdict === 'wanted' && part.before.endsWith('l') && plain.some(({ clock }) => clock);
  const isTurned = /^[agv]*e$/.test(part.before) && isAgainst(progress.last);
  if (isTurned && !excepted(plain, progress)) return false;
  const verdict = isTurned
    ? 'wanted'
    : part.isConditional && part.verdict === 'refused'
      ? 'wanted'
      : isEnd
        ? 'leaves'
        : isItsTime(part, progress)
          ? 'obstacle'
          : inherited(part, clause, progress);
  if (verdict === 'refused' && (isPoliteQuestion(clause) || (purpose === 'context' && ABODE.test(part.words))))
    return false;
  if (verdict === 'wanted' && isAgainst(progress.last)) inSameDay(part, plain, progress);
  const isAside = verdict === 'wanted' && part.isBare && /^[,(:]$/.test(clause.joint) && progress.last !== 'wanted';
  if (isAside && plain.every((box) => box.clock && !box.dates) && coversMeeting(part, plain, clause, progress)) {
    remember(refuse(boxes, part, progress, quote), progress);
    Object.assign(progress, { last: 'refused', antecedent: plain });
    return true;
  }
  progress.last = verdict;
  if (endsObstacle(part, plain, verdict, progress)) return true;
  // "Two hour meeting at 2" may be this meeting or another one.
  if (part.length !== undefined && verdict === 'wanted' && !/[ag]/.test(`${part.before}${part.after}`)) return false;
  if (
    purpose === 'context' &&
    verdict === 'only' &&
    !part.isDayLed &&
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
      if (!coversMeeting(part, plain, clause, progress)) return false;
      remember(refuse(boxes, part, progress, quote), progress);
      return true;
    case 'wanted':
    case 'only':
    case 'push':
    case 'pull':
      if (isGeneral(plain, part, clause, purpose) && !ALLOWED.test(part.words))
        reading.standing.push(
          ...(part.isDayLed && verdict === 'only'
            ? rulesWithin(plain, quote)
            : rulesFor(plain, verdict === 'only', quote)),
        );
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

/** Returns true for the meeting's own day or hour, which "keep Wednesday at 3" keeps. */
const isOldSlot = ({ dates, weekdays, clock }: Box, { oldDay, oldMinute }: Progress['calendar']): boolean =>
  weekdays === undefined &&
  (dates ?? [{ first: oldDay, last: oldDay }]).every(({ first, last }) => first === oldDay && last === oldDay) &&
  (clock === undefined || clock.from === oldMinute);

/** Leaves out a limit that only says until when a weekday recurs: "on Mondays through December". */
const withoutTerm = <T extends { box: Box }>(boxes: T[]): T[] =>
  boxes.some(({ box }) => box.weekdays)
    ? boxes.filter(({ box: { dates, clock } }) => clock || dates?.length !== 1 || dates[0]?.first !== undefined)
    : boxes;

/** Adds the times that a part refuses to the reading, and returns these times. */
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

/** Asks for the whole week that "any day but Friday next week" names. */
function addWeekOf({ items }: Part, progress: Progress, quote: string): void {
  const [item, ...more] = items;
  if (item?.mention?.kind !== 'days' || more.length > 0 || item.bound || !/ week$/.test(item.text)) return;
  const monday = item.mention.first - weekdayIndex(item.mention.first);
  addWanted([{ dates: [{ first: monday, last: monday + 6 }], strength: 'rather', quote }], progress, '');
}

/** Remembers the refused hours of a commitment whose day is not named. */
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

/**
 * Returns the verdict on a time. A time that a clause merely adds, as in "and probably tomorrow", shares the verdict on
 * the time before it.
 */
function inherited(
  { verdict, before, isBare, next, items }: Part,
  { joint, isAsked }: Clause,
  { last }: Progress,
): Verdict {
  // The days in "In surgery (mine, not theatre) from Wednesday to Sunday" belong to the words before the bracket, so
  // they count as not understood.
  if (verdict === 'wanted' && isBare && joint === ')' && last !== 'wanted') return 'unknown';
  if (verdict !== 'wanted' || before !== '' || !isBare || last === undefined) return verdict;
  if (joint === 'and' || joint === 'or') return last;
  if (joint === ',' && /^(?:too|as well|also|likewise)\b/.test(next)) return last;
  // "Four is rough, half past two?" offers a time, and so does "not this Wednesday, the next one".
  if (/^the (?:next|one|following)/.test(items[0]?.text ?? '')) return verdict;
  // The days in "Moved twice, first from the 18th, then from the 25th" only tell what happened, so they count as not
  // understood.
  if (joint === 'otherwise' && last === 'unknown' && items[0]?.bound === 'from') return 'unknown';
  const isAside = joint === ',' ? !isAsked : joint === '(' || joint === ':';
  return isAside && (last === 'refused' || last === 'obstacle' || last === 'unknown') ? 'unknown' : verdict;
}

const TOO_EARLY = 8 * 60;
const TOO_LATE = 19 * 60;

/**
 * Reads "it is 4am for me" as a complaint. It applies to hours before 8:00 and from 19:00 on, which nobody asks for
 * without saying so.
 */
function saysOddHour(part: Part, clock: Box['clock'], { reading, calendar }: Progress, quote: string): boolean {
  const [item] = part.items;
  const isPoint = item?.mention?.kind === 'clock' && item.mention.isPoint && item.bound === undefined;
  if (!isPoint || clock === undefined || /[agkm]/.test(part.before) || part.items.length > 1) return false;
  const isOdd = clock.from < TOO_EARLY || clock.from >= TOO_LATE;
  if (!isOdd || (Math.abs(clock.from - calendar.oldMinute) > 60 && !/[vf]/.test(part.led))) return false;
  reading.moves.push({ direction: clock.from < TOO_EARLY ? 'later' : 'earlier', what: 'clock', exactly: false, quote });
  return true;
}

/** Puts "Wed" in "next week Mon, Wed" and in "next week, Wed" into next week, too. */
function inOrder(
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

export const isAgainst = (verdict: Verdict | undefined) => verdict === 'refused' || verdict === 'obstacle';

/**
 * Takes days out of those that were refused last: "out all week except Friday". Returns false, and takes out nothing,
 * if the exception or the last refusal is anything but plain dates.
 */
function excepted(boxes: readonly Box[], { reading }: Progress): boolean {
  const last = reading.refused.at(-1);
  const days = boxes.flatMap(({ dates, weekdays, clock }) => (dates && !weekdays && !clock ? dates : [undefined]));
  if (last?.dates === undefined || last.weekdays || last.clock || days.includes(undefined)) return false;
  last.dates = days.reduce<DateSpan[]>((left, day) => withoutDays(left, day ?? {}), last.dates);
  return true;
}

/**
 * Returns true for "could we not do Friday instead?" and "is Friday out of the question?". Such a question may well ask
 * for Friday.
 */
const isPoliteQuestion = ({ items, isAsked }: Clause): boolean => {
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
