import { DAY_MINUTES } from '../../engine/time/dates.ts';
import { type Box, nothingRead, type Reading, type Refused } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { wordsOf } from '../text/plain-words.ts';
import { type Clause, clausesOf, PAST } from './clauses.ts';
import { correctionIn, takeBack, takesBack, withoutCorrection } from './corrections.ts';
import { boxesOf, isPlace } from './group.ts';
import { readOther } from './others.ts';
import { type Part, partsIn } from './parts.ts';
import { isAgainst, readPlace } from './places.ts';
import { addWanted, type Progress, quoteOf } from './progress.ts';
import { withoutContradictions, withoutDoubts } from './reconcile.ts';
import { type Item, itemsOf } from './scan.ts';
import type { Purpose } from './standing.ts';
import { onlyIfSure } from './sure.ts';
import { sideBefore } from './verdicts.ts';

/** Reads what a text asks for by rules alone. A clause with a word that no rule explains counts as not understood. */
export function readByRules(text: string, calendar: Calendar, purpose: Purpose = 'reason'): Reading {
  const reading = nothingRead('rules');
  const progress: Progress = {
    reading,
    text,
    calendar,
    purpose,
    antecedent: [],
    since: 0,
    isConclusion: false,
    doubts: [],
    isAfterCommitment: false,
    isAfterPast: false,
    ofOneDay: [],
    takenBack: [],
    lacksHours: false,
    lacksWish: false,
  };
  const clauses = clausesOf(itemsOf(wordsOf(text), calendar));
  for (const [i, clause] of clauses.entries()) {
    if (purpose === 'context' && isHeading(clause, clauses[i + 1])) reading.unread.push(quoteOf(clause.items, text));
    else readInTurn(clause, progress);
    progress.isAfterCommitment = namesCommitment(clause);
    progress.isAfterPast = PAST.test(clause.joint) && !clause.items.some(({ mention }) => mention);
  }
  onItsDay(progress);
  // The person asked for a time that we did not understand, so we do not move the meeting by their refusals alone.
  const isReason = purpose === 'reason';
  if (isReason && progress.lacksWish && progress.reading.wanted.length + progress.reading.moves.length === 0) {
    progress.reading.unread.push(...progress.reading.refused.map(({ quote }) => quote));
    progress.reading.refused = [];
  }
  // The right day at a wrong hour helps nobody. If we did not understand the hour, we do not act on the day either.
  if (isReason && progress.lacksHours && progress.reading.wanted.every(({ clock }) => clock === undefined))
    takeBack(progress);
  const read = withoutDoubts(withoutContradictions(progress.reading), progress.doubts);
  return isReason ? onlyIfSure(read, progress.doubts, calendar) : read;
}

/** Returns true for the time in "Monday mornings: planning", which is not asked for. */
const isHeading = ({ items }: Clause, next: Clause | undefined): boolean =>
  next?.joint === ':' &&
  items.every((item) => isPlace(item) || item.tag === 'f') &&
  !next.items.some(({ mention }) => mention);

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

/** Reads one clause, and takes back what it corrects. */
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
  const isElse = !isLasting && clause.items.some(({ tag }) => tag === 'z');
  if (isElse && !isTimely) return;
  if (progress.purpose === 'context' && isOccasional(clause)) {
    reading.unread.push(quoteOf(clause.items, progress.text));
    progress.last = 'unknown';
    return;
  }
  const parts = isTimely ? partsIn(clause) : [];
  const isStray = strays(parts);
  for (const part of parts) {
    const isRead = isPlace(part.items[0]) ? readPlace(part, clause, progress) : readOther(part, clause, progress);
    if (isRead && !isElse && !isStray) continue;
    Object.assign(reading, {
      ...saved,
      soon: saved.soon,
      unread: [...saved.unread, quoteOf(clause.items, progress.text)],
    });
    progress.last = 'unknown';
    progress.lacksHours ||= asksForHours(clause);
    progress.lacksWish ||= asksForTime(clause);
    for (const { items } of parts) progress.doubts.push(...boxesOf(items, progress.calendar).map(({ box }) => box));
    return;
  }
  if (isTimely) return;
  if (progress.purpose === 'context' && clause.items.some(({ tag }) => tag === 'n')) progress.last = 'unknown';
  if (clause.items.some(isLeftOver)) {
    if (clause.items.some(({ tag }) => /[nbu]/.test(tag))) progress.last = 'unknown';
    reading.unread.push(quoteOf(clause.items, progress.text));
    return;
  }
  if (!readAntecedent(clause, progress)) readOther(undefined, clause, progress);
}

/** Returns true for a clause that names a commitment, but no time and no wish. */
const namesCommitment = ({ items, isAsked }: Clause): boolean =>
  !isAsked &&
  items.some(({ tag }) => tag === 'h' || tag === 'd') &&
  !items.some(({ tag, mention }) => mention || /[agmpqn]/.test(tag));

/**
 * Returns true if an amount that nobody asks for stands beside a time of which nothing is said: "it costs us a pound a
 * minute after 3:45".
 */
const strays = (parts: readonly Part[]): boolean =>
  parts.some(
    ({ items, before }) => items[0]?.mention?.kind === 'amount' && /[xt]/.test(before) && !/[amgpqh]/.test(before),
  ) && parts.some(({ items, isBare }) => isPlace(items[0]) && isBare);

/** Returns true for a clause that does not hold in general: "on holiday next week", "if it must be Friday". */
const isOccasional = ({ items }: Clause): boolean =>
  /^if(?: (?:we|it|it is|you|they|this|that))?$/.test(items[0]?.text ?? '') ||
  items.some(
    ({ mention, text }) =>
      SEASON.test(text) ||
      (mention?.kind === 'days' && mention.weekday === undefined && !mention.isSpan && !PART_OF_ANY_WEEK.test(text)),
  );

const SEASON = /^(?:summer|winter|autumn|spring|ramadan|lent|advent)$/;
const PART_OF_ANY_WEEK = /\b(?:of|in) the week$|\bmid ?week$/;

/** Returns true for a clause that asks for an hour, or calls it good. */
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
  const [verb, to] = items.slice(Math.max(0, i - 2), i);
  return (
    /[xdf]/.test(tag) && /^[pqm]$/.test(verb?.tag ?? '') && /^(?:to|until|before|after|into)$/.test(to?.text ?? '')
  );
};

const HOURS = /^(?:\d{1,2}(?:[:.]\d\d)?|(?!19|20)[01]\d[0-5]\d|2[1-3][0-5]\d)$/;
const THEN =
  /^(?:(?:straight|right|just|immediately|directly|any ?time) )?(?:(?:after|before|past) (?:that|then|this|it)|(?:after|before)wards?|after)$/;

/** Reads "before then" and "after that", which point to the last time that was named. */
function readAntecedent({ items, joint }: Clause, progress: Progress): boolean {
  const { antecedent, text } = progress;
  const at = items.findIndex((item) => THEN.test(item.text));
  const [box] = antecedent;
  if (at < 0 || box === undefined || antecedent.length > 1) return false;
  const isAfter = !items[at]?.text.includes('before');
  const side = sideBefore(
    items
      .slice(0, at)
      .map(({ tag }) => tag)
      .join('')
      .replace(/[fvw~-]/g, '')
      .replace(/^j+/, ''),
  );
  const isBusy = items.slice(at + 1).some(({ tag }) => /[nbudh]/.test(tag));
  if (isBusy || !/none|wanted|only|push/.test(side)) return false;
  const quote = quoteOf(items, text);
  const { dates, clock } = box;
  const day = dates?.[0];
  const first = day?.first;
  const last = day?.last;
  const boxes: Box[] = [];
  const hours =
    clock &&
    (isAfter ? { from: isPointed(clock) ? clock.from : clock.to, to: DAY_MINUTES } : { from: 0, to: clock.from });
  if (hours && hours.from < hours.to) boxes.push({ ...(day && { dates: [day] }), clock: hours });
  if (!isAfter && clock?.from === 0) boxes.push(box);
  if (isAfter && last !== undefined) boxes.push({ dates: [{ first: last + 1 }] });
  if (!isAfter && first !== undefined && clock?.from !== 0) boxes.unshift({ dates: [{ last: first - 1 }] });
  addWanted(
    boxes.map((one) => ({ ...one, strength: 'rather', quote })),
    progress,
    joint,
  );
  return boxes.length > 0;
}

const isPointed = ({ from, to }: { from: number; to: number }) => to - from <= 60;
