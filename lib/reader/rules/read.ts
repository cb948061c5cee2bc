import { nothingRead, type Reading, type Refused } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { wordsOf } from '../text/plain-words.ts';
import { readAntecedent } from './antecedent.ts';
import { type Clause, clausesOf, PAST } from './clauses.ts';
import { correctionIn, takeBack, takesBack, withoutCorrection } from './corrections.ts';
import { limitedBy, limitOf } from './event-limits.ts';
import { boxesOf, isPlace } from './group.ts';
import { narrowestRules } from './narrower.ts';
import { readOther } from './others.ts';
import { type Part, partsIn } from './parts.ts';
import { isAgainst, readPlace } from './places.ts';
import { type Progress, quoteOf } from './progress.ts';
import { readPronoun } from './pronouns.ts';
import { withoutContradictions, withoutDoubts } from './reconcile.ts';
import { untilEvening } from './refusals.ts';
import {
  AVAILABLE,
  avoidedIn,
  isHeading,
  isOccasional,
  isOfOthers,
  namesCommitment,
  namesWork,
} from './restrictions.ts';
import { type Item, itemsOf } from './scan.ts';
import type { Purpose } from './standing.ts';
import { onlyIfSure } from './sure.ts';
import { toldSoFar } from './told.ts';

/** Reads what a text asks for by rules alone. A clause with a word that no rule explains counts as not understood. */
export function readByRules(text: string, calendar: Calendar, purpose: Purpose = 'reason'): Reading {
  const reading = nothingRead('rules');
  const clauses = clausesOf(itemsOf(wordsOf(text), calendar));
  const progress: Progress = {
    reading,
    text,
    calendar,
    purpose,
    antecedent: [],
    since: 0,
    isConclusion: false,
    doubts: [],
    unclear: [],
    isOutspoken: false,
    asksForMore: false,
    isAfterCommitment: false,
    isAfterRequest: false,
    isAfterOnly: false,
    isAfterEvent: false,
    isAfterPast: false,
    ofOneDay: [],
    isPlain: isPlain(clauses),
    isSoleTime: clauses.filter(({ items, isPast }) => !isPast && items.some(isPlace)).length === 1,
    takenBack: [],
    lacksHours: false,
    lacksWish: false,
  };
  for (const [i, told] of clauses.entries()) {
    const clause = limitedBy(told, clauses[i - 1] && limitOf(clauses[i - 1] as Clause));
    if (purpose === 'context' && isHeading(clause, clauses[i + 1])) reading.unread.push(quoteOf(clause.items, text));
    else readInTurn(clause, progress);
    // "Surgery (GP) 9 to 12" goes on after the bracket.
    const isAside = clause.joint === '(' && !clause.items.some(({ mention }) => mention);
    progress.isAfterCommitment =
      namesCommitment(clause) ||
      (purpose === 'context' && clauses[i + 1]?.joint === ':' && namesWork(clause)) ||
      (isAside && progress.isAfterCommitment);
    progress.isAfterRequest = clause.items.some(({ tag }) => /[agmpqk]/.test(tag));
    progress.isAfterOnly =
      (progress.isAfterOnly && clause.items.every((item) => isPlace(item) || /[,&of-]/.test(item.tag))) ||
      (purpose === 'context' &&
        /^[:—-]$/.test(clauses[i + 1]?.joint ?? '') &&
        AVAILABLE.test(clause.items.map(({ text: word }) => word).join(' '))) ||
      (clause.items.some(({ tag }) => tag === 'k') &&
        !clause.items.some(({ mention, tag }) => mention || /[nbu]/.test(tag)));
    progress.avoided = avoidedIn(clause);
    progress.isAfterEvent = clause !== told;
    progress.isAfterPast = PAST.test(clause.joint) && !clause.items.some(({ mention }) => mention);
  }
  onItsDay(progress);
  untilEvening(progress);
  // The person asked for a time that we did not understand, so we do not move the meeting by their refusals alone.
  const isReason = purpose === 'reason';
  if (isReason && progress.lacksWish && progress.reading.wanted.length + progress.reading.moves.length === 0) {
    const quotes = reading.refused.map(({ quote }) => quote);
    reading.unread.push(...quotes);
    reading.refused = [];
    reading.standing = reading.standing.filter(({ quote }) => !quotes.includes(quote));
  }
  // The right day at a wrong hour helps nobody. If we did not understand the hour, we do not act on the day either.
  if (isReason && progress.lacksHours && progress.reading.wanted.every(({ clock }) => clock === undefined))
    takeBack(progress);
  const read = withoutDoubts(withoutContradictions(progress.reading, calendar), progress.doubts);
  return isReason ? onlyIfSure(read, progress) : read;
}

/** Returns true if the text asks for one time in words that the rules know. */
const isPlain = (clauses: readonly Clause[]): boolean => {
  const [timely, ...more] = clauses.filter(({ items, isPast }) => !isPast && items.some(({ mention }) => mention));
  return timely !== undefined && more.length === 0 && timely.items.every(({ tag }) => tag !== 'x');
};

/**
 * Puts a commitment without a day on the meeting's day, if no other day is asked for: "I am not back before 6pm" rules
 * out no other day.
 */
function onItsDay({ reading, ofOneDay, calendar: { oldDay } }: Progress): void {
  if (
    reading.wanted.some(({ dates, weekdays }) => dates ?? weekdays) ||
    reading.moves.some(({ what }) => what === 'day')
  )
    return;
  for (const box of ofOneDay) box.dates = [{ first: oldDay, last: oldDay }];
}

/**
 * Reads one clause. If it corrects an earlier clause, as "no wait, Friday" does, takes back what that clause asked for.
 */
function readInTurn(clause: Clause, progress: Progress): void {
  const { reading } = progress;
  const isAsking = reading.wanted.length + reading.moves.length > 0;
  const correction = correctionIn(clause);
  if (correction === 'firm' && isAgainst(progress.last) && clause.items.some(isPlace)) {
    // "Not Thursday, I mean Friday" may refuse Friday, or ask for it. So we refuse neither day.
    reading.refused.pop();
    reading.unread.push(quoteOf(clause.items, progress.text));
    return;
  }
  if (!isAsking || (correction === undefined && !takesBack(clause))) {
    readClause(correction === 'firm' ? withoutCorrection(clause) : clause, progress);
    if (correction === 'firm' && !clause.items.some(isPlace)) progress.last = undefined;
    return;
  }
  const { wanted, moves, soon, unread } = reading;
  const { since } = progress;
  takeBack(progress);
  readClause(correction === 'firm' ? withoutCorrection(clause) : clause, progress);
  if (correction === 'firm' && !clause.items.some(isPlace)) progress.last = undefined;
  if (correction !== 'soft' || reading.wanted.length + reading.moves.length > 0) return;
  Object.assign(reading, { wanted, moves, soon, unread: reading.unread.filter((quote) => unread.includes(quote)) });
  Object.assign(progress, { since, takenBack: [] });
}

/**
 * Reads one clause. It is understood as a whole or not at all: a word that is left over may turn the meaning of each
 * time that the clause names.
 */
function readClause(clause: Clause, progress: Progress): void {
  if (clause.joint === 'otherwise') progress.since = progress.reading.wanted.length;
  progress.isConclusion = clause.joint === 'so';
  const { reading } = progress;
  const isTimely = clause.items.some(({ mention }) => mention);
  const saved = { ...reading, wanted: [...reading.wanted], refused: [...reading.refused] };
  saved.moves = [...reading.moves];
  saved.standing = [...reading.standing];
  const isLasting = progress.obstacle !== undefined || isOpenEnded(reading.refused.at(-1));
  // "Wednesday if it's before eleven, otherwise Friday": the second best alone is not what was asked for.
  if (isSecondBest(clause, progress)) {
    reading.unread.push(quoteOf(clause.items, progress.text));
    return;
  }
  const isElse = !isLasting && clause.items.some(({ tag }) => tag === 'z');
  if (isElse && !isTimely) {
    progress.asksForMore ||= clause.items.some(({ tag }) => tag === 'a');
    return;
  }
  if (progress.purpose === 'context' && (isOccasional(clause) || isOfOthers(clause))) {
    reading.unread.push(quoteOf(clause.items, progress.text));
    progress.last = 'unknown';
    return;
  }
  if (clause.items.some(isPlace)) progress.told = toldSoFar(progress);
  const parts = isTimely ? partsIn(clause) : [];
  const isStray = strays(parts);
  for (const part of parts) {
    const isRead = isPlace(part.items[0]) ? readPlace(part, clause, progress) : readOther(part, clause, progress);
    if (isRead && !isElse && !isStray) continue;
    const narrowest = isElse ? undefined : narrowestRules(clause, progress);
    if (narrowest) {
      reading.standing = [...saved.standing, ...narrowest];
      return;
    }
    Object.assign(reading, {
      ...saved,
      soon: saved.soon,
      unread: [...saved.unread, quoteOf(clause.items, progress.text)],
    });
    progress.last = 'unknown';
    progress.lacksHours ||= asksForHours(clause);
    progress.lacksWish ||= asksForTime(clause);
    const boxes = parts.flatMap(({ items }) => boxesOf(items, progress.calendar).map(({ box }) => box));
    progress.doubts.push(...boxes);
    progress.unclear.push({ items: clause.items, boxes });
    if (progress.purpose === 'context') progress.antecedent = boxes;
    return;
  }
  if (isTimely || readPronoun(clause, progress)) return;
  progress.isOutspoken ||= clause.items.some(({ tag }) => tag === 'e');
  if (progress.purpose === 'context' && clause.items.some(({ tag }) => tag === 'n')) progress.last = 'unknown';
  if (clause.items.some(isLeftOver)) {
    if (clause.items.some(({ tag }) => /[nbu]/.test(tag))) progress.last = 'unknown';
    progress.unclear.push({ items: clause.items, boxes: [] });
    reading.unread.push(quoteOf(clause.items, progress.text));
    return;
  }
  if (!readAntecedent(clause, progress)) readOther(undefined, clause, progress);
}

/** Returns true for what is asked for only if a wish fails that was not understood. */
const isSecondBest = ({ joint }: Clause, { last, purpose }: Progress): boolean =>
  purpose === 'reason' && joint === 'otherwise' && last === 'unknown';

/**
 * Returns true if an amount that nobody asks for stands beside a time of which nothing is said: "it costs us a pound a
 * minute after 3:45".
 */
const strays = (parts: readonly Part[]): boolean =>
  parts.some(
    ({ items, before }) => items[0]?.mention?.kind === 'amount' && /[xt]/.test(before) && !/[amgpqh]/.test(before),
  ) && parts.some(({ items, isBare }) => isPlace(items[0]) && isBare);

/** Returns true for a clause that asks for a clock time or calls it good: "3pm works". */
const asksForHours = ({ items }: Clause): boolean =>
  items.some(({ mention }) => mention?.kind === 'clock' && mention.isPoint) &&
  items.some(({ tag }) => /[ag]/.test(tag)) &&
  !items.some(({ tag }) => /[nbuhdlr]/.test(tag));

/** Returns true for a clause that asks for a day or hours, or calls them good. */
const asksForTime = ({ items }: Clause): boolean =>
  items.some(isPlace) && items.some(({ tag }) => /[ag]/.test(tag)) && !items.some(({ tag }) => /[nbuhdlr]/.test(tag));

/** Returns true for an absence whose end is not known yet: "jury service from Tuesday". */
const isOpenEnded = (refused: Refused | undefined): boolean =>
  refused?.dates?.some(({ first, last }) => first !== undefined && last === undefined) ?? false;

/**
 * Returns true for a bare number, and for an unknown word to which somebody pushes the meeting: "push to next sprint".
 */
const isLeftOver = ({ tag, text }: Item, i: number, items: Item[]): boolean => {
  if (tag === 'x' && HOURS.test(text)) return true;
  // "Leave it until it's in" waits for something that has no time here.
  if (tag === 'p' && / (?:to|until|till)$/.test(text) && items.length > i + 1) return true;
  const [verb, to] = items.slice(Math.max(0, i - 2), i);
  return (
    /[xdf]/.test(tag) && /^[pqm]$/.test(verb?.tag ?? '') && /^(?:to|until|before|after|into)$/.test(to?.text ?? '')
  );
};

const HOURS = /^(?:\d{1,2}(?:[:.]\d\d)?|(?!19|20)[01]\d[0-5]\d|2[1-3][0-5]\d)$/;
