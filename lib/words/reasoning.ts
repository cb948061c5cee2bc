import type { Fairness } from '../engine/rank/fairness.ts';
import type { Decided, PickFacts } from '../engine/rank/pick-facts.ts';
import { MINUTE, sayDate } from '../engine/time/dates.ts';
import { localDay } from '../engine/time/zone.ts';
import { type Asked, type MetWords, metWords, oncePerPart } from './asked.ts';
import { avoidedSentences, hasAskedBreak, withoutAskedBreak } from './avoided.ts';
import { asSentence, costSentences, givenUpWords, togetherWords } from './given-up.ts';
import { KIND } from './kinds.ts';
import { limitWords } from './limits.ts';
import { say } from './patterns.ts';
import {
  capitalized,
  clockIn,
  dateIn,
  farWords,
  haveOneClock,
  listed,
  type Names,
  namesOf,
  whenForBoth,
} from './people.ts';
import { shiftWords } from './wish.ts';

const MOST_REASONS = 3;
const QUARTER = 15 * MINUTE;

/**
 * Explains a chosen meeting time to the two people in two or three sentences (schema/DECISIONS.md, "Reasoning"). The
 * sentences give the time on both clocks, unless the text is a preview, and the reasons that decided. They name the
 * times avoided and for whom, the cost of this time, and the person whose turn it was to meet outside their day. They
 * state only facts.
 */
export function describePick(facts: PickFacts, wished?: Asked, isPreview = false): string {
  const hasOwnClock = !haveOneClock(facts.start, facts.people);
  const asked = wished && { ...wished, wish: facts.wish ?? wished.wish, hasOwnClock };
  const names = namesOf(facts.people);
  const given = givenUpWords(facts, names, asked);
  const { missed } = given;
  // A single reason why the wish could not be met comes first, and what follows from it second.
  const lead = !isPreview && missed.length === 1 && missed[0]?.mayLead ? missed[0].clause : undefined;
  const isNewTime = lead === undefined && missed.length > 0;
  const after = [
    ...avoidedSentences(withoutAskedBreak(facts, asked), names),
    ...(lead === undefined ? missed.map(({ clause }) => asSentence(clause)) : []),
  ];
  const turn = turnWords(facts, names, isNewTime);
  const opening = openingOf(facts, asked, lead);
  const first = isPreview ? previewed(facts, names, asked) : [withWhy(opening, facts, names, asked)];
  const [reason = opening] = first;
  const [drawback, ...others] = given.dates;
  const isOnlyDate =
    facts.leftAside === undefined &&
    others.length + given.borne.length + given.notice.length + after.length === 0 &&
    turn === '';
  if (drawback !== undefined && isOnlyDate && reason !== opening)
    return say('pick.but', { sentence: reason.slice(0, -1), drawback });
  return [
    ...first,
    ...asideWords(facts, names),
    ...after,
    ...costSentences(given, isNewTime),
    ...(turn === '' ? [] : [turn]),
  ].join(' ');
}

/** Says that the time leaves aside settings of the person who asked for it. */
function asideWords({ leftAside }: PickFacts, names: Names): string[] {
  if (leftAside === undefined) return [];
  const who = names.short(leftAside.email);
  return [say(leftAside.settings.includes('work_hours') ? 'pick.outside_hours' : 'pick.aside', { who })];
}

/** Says when the meeting is. `lead` is the reason why a wish could not be met, if the sentence begins with it. */
function openingOf({ start, people }: PickFacts, asked: Asked | undefined, lead: string | undefined): string {
  const time = whenForBoth(start, people);
  if (lead !== undefined) return say('pick.because', { reason: capitalized(lead), time });
  return say(asked === undefined ? 'pick.new' : 'pick.moved', { time });
}

/**
 * Adds the reasons to the sentence that gives a chosen time. If the time meets demands of an attendee's request, only
 * those demands are given as reasons. If the date and clock times already show all of them, says only who asked for the
 * time.
 */
function withWhy(time: string, facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const sentence = time.slice(0, -1);
  const met = asked === undefined ? [] : metWords(facts, asked);
  const isWhole = facts.givenUp.every(({ kind }) => kind !== 'wish' && kind !== 'shift');
  if (asked !== undefined && met.every(({ isShown }) => isShown)) {
    const told = { sentence, who: names.short(asked.email) };
    if (hasAskedBreak(facts, asked)) return say('pick.break', told);
    if (met.length > 0 && isWhole) return say(asked.isTaste ? 'pick.prefers' : 'pick.asked', told);
  }
  const why = reasonsFor(facts, names, asked, met);
  if (asked !== undefined && isClosestInstead(facts, why, asked))
    return say(isNext(facts, asked) ? 'pick.next' : 'pick.closest', { sentence });
  return why === '' ? time : say('pick.why', { sentence, why });
}

/** Returns true if the only reason for a new time is that it is the closest one to a time that was not possible. */
function isClosestInstead(facts: PickFacts, why: string, asked: Asked): boolean {
  const isNearest = facts.decided.some((fact) => fact.kind === 'nearest' && fact.to === 'asked_time');
  const isInstead = facts.givenUp.some(({ kind }) => kind === 'wish' || kind === 'shift');
  return isNearest && isInstead && [say('why.nearest_asked'), movedWords(facts, asked)].includes(why);
}

/** Returns true if a meeting that should move later by some minutes moves to the first free time after that. */
const isNext = ({ start, givenUp }: PickFacts, { oldStart, wish }: Asked): boolean =>
  wish.relative === 'later' &&
  givenUp.some((fact) => fact.kind === 'shift' && start > oldStart + fact.minutes * MINUTE);

/** Says only the reasons for a chosen time, for a preview. The preview has given the time just before, as data. */
function previewed(facts: PickFacts, names: Names, asked: Asked | undefined): string[] {
  const why = reasonsFor(
    facts,
    names,
    asked,
    asked === undefined ? [] : metWords(facts, asked).map(({ words }) => ({ words })),
  );
  return why === '' ? [] : [say('pick.preview', { why })];
}

function reasonsFor(facts: PickFacts, names: Names, asked: Asked | undefined, met: readonly MetWords[]): string {
  // The date and clock times that the sentence has just given show some of the parts.
  const unseen = met.filter(({ isShown }) => isShown !== true).map(({ words }) => words);
  if (hasAskedBreak(facts, asked)) unseen.push(say('why.break'));
  if (asked === undefined || unseen.length === 0) return movedWords(facts, asked) ?? whyWords(facts, names, asked);
  const parts = togetherWords(unseen);
  return say(asked.isTaste ? 'why.prefers' : 'why.asked', { parts, who: names.short(asked.email) });
}

/** Says by how much a meeting moved within its day, if it could not move by the minutes that were asked for. */
function movedWords({ start, givenUp }: PickFacts, asked: Asked | undefined): string | undefined {
  if (asked === undefined || givenUp.every(({ kind }) => kind !== 'shift')) return undefined;
  const { oldStart, timeZone } = asked;
  const minutes = (start - oldStart) / MINUTE;
  const isSameDay = dateIn(start, timeZone) === dateIn(oldStart, timeZone);
  if (!isSameDay || !Number.isInteger(minutes) || minutes === 0) return undefined;
  const relative = minutes > 0 ? 'later' : 'earlier';
  return say('why.moved', { shift: shiftWords({ relative }, Math.abs(minutes)) });
}

/** Says a few of the reasons why Tandem chose this time, as many as read well in one sentence. */
function whyWords(facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const has = (kind: Decided['kind']) => facts.decided.some((fact) => fact.kind === kind);
  const isUnasked = asked !== undefined && (asked.wish.unasked === true || Object.keys(asked.wish).length === 0);
  if (isUnasked && has('nearest')) return say('why.nearest_unasked');
  // The cost that the time comes at short notice says already that no other day suits both.
  const isShort = facts.givenUp.some(({ kind }) => kind === 'notice');
  // "No earlier quarter hour" would say nothing of a time between two quarter hours.
  const isHeldBackOffQuarter =
    facts.start % QUARTER !== 0 && facts.decided.some((fact) => fact.kind === 'soonest' && fact.isWithNotice === true);
  const isSaid = ({ kind }: Decided) =>
    kind !== 'wish' &&
    !(kind === 'only_day' && isShort) &&
    !(kind === 'soonest' && (has('only_day') || facts.searched?.isFromNow !== true || isHeldBackOffQuarter));
  const all = withoutMorningTwice(oncePerPart(facts.decided).filter(isSaid));
  // A person cares least that a time starts soon, so the sentence says so only if it has nothing else to say.
  const isAlone = all.length + facts.avoided.length + facts.givenUp.length === 1;
  const reasons = all
    .filter(({ kind }) => isAlone || kind !== 'recency')
    .slice(0, MOST_REASONS)
    .map((fact) => reasonWords(fact, names, limitWords(facts.searched)));
  if (isUnasked && reasons.length === 0 && facts.avoided.length === 0) {
    const days = daysAway(facts, asked);
    return days === undefined ? say('why.near_unasked') : say('why.same_time_unasked', { days });
  }
  const likes = facts.people.map(({ email }) => `${names.short(email)} likes `);
  return joined(underOneSubject(reasons, ['it is ', ...likes]));
}

/** Joins reasons that have different subjects into one sentence, with a comma before the last one. */
const joined = (reasons: readonly string[]): string =>
  reasons.length < 2 ? listed(reasons) : `${reasons.slice(0, -1).join(', ')}, and ${reasons.at(-1)}`;

/**
 * Leaves out the reason that it is mid-morning for one person if another reason says that mornings suit the kind of
 * meeting, because both say the same.
 */
function withoutMorningTwice(facts: readonly Decided[]): Decided[] {
  const isMorning = facts.some((fact) => fact.kind === 'context' && fact.part === 'morning');
  return facts.filter((fact) => !(isMorning && fact.kind === 'mid_morning' && fact.emails.length === 1));
}

/** Says how many days later or earlier a moved meeting is, if it keeps its clock time for the attendee who asked. */
function daysAway({ start }: PickFacts, { oldStart, timeZone }: Asked): string | undefined {
  const days = localDay(timeZone, start) - localDay(timeZone, oldStart);
  if (days === 0 || clockIn(start, timeZone) !== clockIn(oldStart, timeZone)) return undefined;
  return farWords(days);
}

/**
 * Joins reasons that begin with the same words into one clause: "it is mid-morning for both and soon". The clause takes
 * the place of the first of them.
 */
function underOneSubject(reasons: readonly string[], beginnings: readonly string[]): string[] {
  const of = (words: string) => beginnings.find((beginning) => words.startsWith(beginning)) ?? words;
  const alike = Map.groupBy(reasons, of);
  return [...alike].map(([beginning, [first = '', ...rest]]) =>
    listed([first, ...rest.map((words) => words.slice(beginning.length))]),
  );
}

function reasonWords(fact: Decided, names: Names, limit: string): string {
  switch (fact.kind) {
    case 'wish':
      return '';
    case 'only_time':
      return say('why.only_time', { limit });
    case 'only_day':
      return say('why.only_day', { day: sayDate(fact.date).split(',')[0] ?? '', limit });
    case 'soonest':
      return say(fact.isWithNotice === true ? 'why.first_noticed' : 'why.first');
    case 'in_range':
      return say('why.in_range');
    case 'context':
      return say('why.context', { part: fact.part, kind: KIND[fact.context] });
    case 'mid_morning':
      return say('why.mid_morning', { who: fact.emails.length > 1 ? 'both' : listed(fact.emails.map(names.short)) });
    case 'recency':
      return say('why.within_days');
    case 'energy':
      return say('why.best_hours', { part: fact.part, who: names.short(fact.email) });
    case 'learned_part':
      return say('why.likes', { who: names.short(fact.email), times: `${fact.part}s` });
    case 'learned_day':
      return say('why.likes', { who: names.short(fact.email), times: `${capitalized(fact.weekday)}s` });
    case 'nearest':
      return say(fact.to === 'old_time' ? 'why.nearest_old' : 'why.nearest_asked');
  }
}

/**
 * Says whose turn it was to meet outside their day, and why, if that decided the chosen time: "It is late for Noah
 * this time, because their other meeting is early for Yuki."
 */
function turnWords({ fairness, people, givenUp }: PickFacts, names: Names, isNewTime: boolean): string {
  const [one, two] = people.map(({ email }) => email).sort((_, email) => (email === fairness?.turn ? -1 : 1));
  if (fairness?.turn === undefined || one === undefined || two === undefined) return '';
  const [side] = givenUp.flatMap((fact) => (fact.kind === 'outside_day' && fact.email === two ? [fact.side] : []));
  const other = names.short(two);
  const why = burdenWords(fairness, one, two, names.short(one));
  if (side === undefined) return say('turn.outside', { other, why });
  const it = capitalized(say(isNewTime ? 'turn.new_time' : 'turn.it'));
  return say('turn.side', { it, side: say(side === 'early' ? 'cost.early' : 'cost.late'), other, why });
}

/**
 * Says how the two people's other meetings fall outside the day of the one whose turn it was not. Only meetings of the
 * two with each other on this platform count.
 */
function burdenWords(
  { carried, sides, single, isOneMeeting }: Fairness,
  email: string,
  other: string,
  who: string,
): string {
  const { early = 0, late = 0 } = sides[email] ?? {};
  if ((carried[other] ?? 0) > 0) return say('turn.more', { who });
  const side = say(late === 0 ? 'cost.early' : early === 0 ? 'cost.late' : 'turn.early_or_late');
  const meeting = single[email];
  if (meeting === undefined) return say('turn.several', { side, who });
  const which = say(isOneMeeting ? 'turn.other' : 'turn.another');
  return say('turn.one', { which, is: meeting.isOver ? 'was' : 'is', side, who });
}
