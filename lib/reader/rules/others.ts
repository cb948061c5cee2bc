import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Move } from '../../engine/wish/reading.ts';
import { addWanted } from './add-wanted.ts';
import type { Clause } from './clauses.ts';
import type { Part } from './parts.ts';
import { type Progress, quoteOf } from './progress.ts';

const FIRST_WORK = 10 * 60;
const LAST_WORK = 17 * 60;
const MORNING = { from: 0, to: 12 * 60 };
const EVENING = { from: 17 * 60, to: DAY_MINUTES };
const LOOSELY = 60;

/**
 * Reads a mention other than a day or clock time, such as "later" or "an hour", or a clause without any mention, such
 * as "postpone it". Returns false if the rules do not understand it.
 */
export function readOther(part: Part | undefined, clause: Clause, progress: Progress): boolean {
  const { reading, text } = progress;
  const { items } = clause;
  const quote = quoteOf(items, text);
  const tags = items.map(({ tag }) => tag).join('');
  const direction = /q/.test(tags) ? 'earlier' : /p/.test(tags) ? 'later' : undefined;
  const isDenied = part ? /[nU]/.test(part.before) : /n/.test(tags);
  const move = (more: Omit<Move, 'quote'>) => reading.moves.push({ ...more, quote });
  if (part === undefined) {
    if (direction === undefined || isDenied || /t/.test(tags)) return true;
    move({ direction, what: 'time' });
    return true;
  }
  const mention = part.items[0]?.mention;
  if (mention === undefined) return true;
  switch (mention.kind) {
    case 'relative':
      if (mention.minutes !== undefined && mention.minutes >= DAY_MINUTES)
        return readAmount(
          { days: Math.round(mention.minutes / DAY_MINUTES), minutes: 0 },
          part,
          progress,
          quote,
          mention.to,
        );
      // "The earliest you have once the results are in" waits for something that has no time here.
      if (isDenied || part.verdict === 'told') return part.verdict === 'told';
      if (/x/.test(part.before) && !/[amg]/.test(part.before)) return false;
      move({
        direction: mention.to,
        what: 'clock',
        by: mention.minutes,
        exactly: mention.minutes !== undefined && !mention.isLoose,
      });
      return true;
    case 'complaint':
      return readComplaint(mention, part, clause, progress, quote);
    case 'amount':
      return readAmount(inDays(mention), part, progress, quote);
    case 'unclear':
      return false;
    case 'other_day': {
      const { oldDay } = progress.calendar;
      reading.refused.push({ dates: [{ first: oldDay, last: oldDay }], quote });
      return true;
    }
    case 'more_time':
      // "Essay not finished, could I have another slot?" says why, and not when.
      if (/x/.test(part.before) && part.items[0]?.text.startsWith('not')) return false;
      if (!isDenied) move({ direction: 'later', what: 'day' });
      return !isDenied;
    case 'sooner':
    case 'soonest':
      // "The earliest you have once the results are in" waits for something that has no time here.
      if (isDenied || part.verdict === 'unknown' || items.some(({ text: word }) => word === 'once')) return false;
      reading.soon = { when: mention.kind, quote };
      return true;
    case 'back_to_back':
    case 'pause': {
      const isLiked = /\b(?:like|love|enjoy|prefer)\b/.test(part.words);
      const isWelcome = (isLiked || /g/.test(`${part.before}${part.after}`)) && !/n/.test(part.before);
      const isUnwanted = mention.kind === 'pause' ? isUnneeded(part) : isWelcome;
      if (mention.kind === 'pause' && progress.purpose === 'reason' && !BETWEEN.test(quote))
        return !/a/.test(part.before);
      // "Not back to back, all good" only describes the person's day, and asks for nothing.
      if (part.words === 'not' && mention.kind === 'back_to_back') return true;
      reading.standing.push({ kind: 'buffer', verdict: isUnwanted ? 'unwanted' : 'wanted', quote });
      return true;
    }
    default:
      return true;
  }
}

/**
 * Returns true if the person says that they need no pauses, as in "I need no break". "No break" alone complains that
 * there is none.
 */
const isUnneeded = ({ led, before, words }: Part) =>
  /n/.test(before) && (/a/.test(led) || /\b(?:need|want|require)\b/.test(words));

function readComplaint(
  { of, degree }: { of: 'early' | 'late'; degree: 'too' | 'mild' | 'bare' },
  { before, verdict }: Part,
  clause: Clause,
  progress: Progress,
  quote: string,
): boolean {
  const direction = of === 'early' ? 'later' : 'earlier';
  if (verdict === 'told') return true;
  if (clause.isAsked && /^(?:[av])$/.test(clause.items[0]?.tag ?? '') && !/n/.test(before)) return false;
  if (!/n/.test(before)) {
    if (/[xhdt]/.test(before) && !/[amgh]/.test(before)) return true;
    progress.reading.moves.push({
      direction,
      what: 'clock',
      by: degree === 'mild' ? LOOSELY : undefined,
      exactly: false,
      quote,
    });
    progress.reading.standing.push({
      kind: 'times',
      verdict: 'rather_not',
      clock: of === 'early' ? MORNING : EVENING,
      quote,
    });
    return true;
  }
  if (degree === 'bare' || /\bso\b/.test(clause.items.find(({ mention }) => mention?.kind === 'complaint')?.text ?? ''))
    progress.reading.moves.push({ direction, what: 'clock', exactly: false, quote });
  else if (clause.items.some(({ text }) => /^it is$|^is$/.test(text))) return true;
  else {
    const clock = of === 'early' ? { from: FIRST_WORK, to: DAY_MINUTES } : { from: 0, to: LAST_WORK };
    addWanted([{ clock, strength: 'rather', quote }], progress, clause.joint);
  }
  return true;
}

/** Words such as "to get home", which begin a journey. */
const JOURNEY = /^to (?:get|travel|drive|walk|come|reach|make|return|cycle)/;
const OWN_NEED = /\b(?:i|we|will|would) (?:will |would |then )?need\b/;

/** Sets the duration of the commitment that the text named before: "dentist at 10, about an hour". */
function lasts(
  { led, words, next }: Part,
  days: number,
  minutes: number,
  { reading, obstacle, antecedent }: Progress,
): boolean {
  if (
    obstacle === undefined ||
    days > 0 ||
    minutes > 8 * 60 ||
    /[mpq]/.test(led) ||
    (OWN_NEED.test(words) && !JOURNEY.test(next))
  )
    return false;
  const { from, margin, box, rules } = obstacle;
  const to = Math.min(DAY_MINUTES, from + minutes + margin);
  const refused = reading.refused[box];
  if (refused?.clock) refused.clock = { from: refused.clock.from, to };
  obstacle.isTimed = true;
  const [named] = antecedent;
  if (named?.clock?.from === from) named.clock = { from, to: from + minutes };
  for (const rule of reading.standing.slice(rules))
    if (rule.kind === 'times' && rule.clock) rule.clock = { from: rule.clock.from, to };
  return true;
}

function readAmount(
  { days, minutes }: { days: number; minutes: number },
  part: Part,
  progress: Progress,
  quote: string,
  direction?: 'earlier' | 'later',
): boolean {
  const { reading } = progress;
  if (lasts(part, days, minutes, progress) || endsAfter(part, days, progress)) return true;
  const way = direction ?? wayOf(part, days);
  // The amount in "Could we postpone? A day or two would be enough." completes the move before it.
  const open = reading.moves.at(-1);
  if (
    way === undefined &&
    ((open?.what === 'time' && open.by === undefined) || (open?.what === 'clock' && !open.exactly && days === 0)) &&
    /^[fvgna]*$/.test(part.led) &&
    !/[md]/.test(part.led)
  ) {
    const by = days > 0 ? days : minutes;
    Object.assign(open, { what: days > 0 ? 'day' : 'clock', by, exactly: true });
    return true;
  }
  // "Surgery on Wednesday, no work for ten days": the absence may last longer than what was read.
  const isAbsence = days > 0 && reading.refused.length > 0 && !/^(?:before|after)\b/.test(part.next);
  if (way === undefined) return !/[am]/.test(part.led) && !isAbsence;
  if (/n/.test(part.before)) return true;
  const by = days > 0 ? days : minutes;
  reading.moves.push({ direction: way, what: days > 0 ? 'day' : 'clock', by, exactly: true, quote });
  return true;
}

/** Converts minutes to days if they make a day or more, as in "48 hours". */
const inDays = ({ days, minutes }: { days: number; minutes: number }) =>
  minutes >= DAY_MINUTES ? { days: days + Math.round(minutes / DAY_MINUTES), minutes: 0 } : { days, minutes };

/** Sets the end of the absence that the text named before: "away from the 21st for a week". */
function endsAfter({ led }: Part, days: number, { reading }: Progress): boolean {
  const [span] = reading.refused.at(-1)?.dates ?? [];
  if (!/^[fv]*$|[jz]f*$/.test(led) || days === 0 || span?.first === undefined || span.last !== undefined) return false;
  span.last = span.first + days - 1;
  return true;
}

const MOVING = /^(?:mov|shift|slid)\w*/;

/**
 * Returns the direction in which an amount moves the meeting. Returns undefined for a length, as in "make it an hour"
 * and "change it to two hours", and for an amount that is counted from another time, as in "an hour before my flight".
 */
function wayOf({ before, after, words, items, next }: Part, days: number): 'earlier' | 'later' | undefined {
  const text = items[0]?.text ?? '';
  if (/^s/.test(after) || /^(?:before|after|from|prior to) (?:my|the|our|that|his|her)\b|^until\b/.test(next))
    return undefined;
  if (/p[mj]*$/.test(before) || /^p/.test(after)) return 'later';
  if (/q[mj]*$/.test(before) || /^q/.test(after)) return 'earlier';
  if (/m[j]?$/.test(before) && !/ (?:to|for|into)$/.test(words))
    return MOVING.test(words.slice(words.search(MOVES))) || text.startsWith('by ') ? 'later' : undefined;
  const needsMore = /more|another|extra/.test(text) || /\b(?:another|extra)$/.test(words);
  if (needsMore && /^[ag]*$/.test(before)) return 'later';
  return days > 0 && /\bneed\w*\b/.test(words) && /^a+$/.test(before) ? 'later' : undefined;
}

const MOVES = /\b(?:mov|shift|slid)/;

const BETWEEN = /\b(?:between|before|after|back|next|meetings|calls)\b/i;
