import type { Avoided, Decided, PickFacts } from '../engine/rank/pick-facts.ts';
import { MINUTE, sayDate } from '../engine/time/dates.ts';
import { localDate, localDay } from '../engine/time/zone.ts';
import {
  type Asked,
  againstWords,
  asSentence,
  firstMissedWords,
  isTaught,
  type MetWords,
  metWords,
  missedWords,
  oncePerPart,
  together,
} from './asked.ts';
import { type Clause, costsOf, gainsOf, joined, KIND, limitWords, MOST_CLAUSES } from './clauses.ts';
import { say } from './patterns.ts';
import {
  capitalized,
  clockIn,
  dateIn,
  farWords,
  haveOneClock,
  listed,
  listedClauses,
  type Names,
  namesOf,
  ofNotice,
  whenForBoth,
} from './people.ts';
import { sayRule } from './understood.ts';
import { shiftWords } from './wish.ts';

/** Writes two or three sentences, in a preview without the time (schema/DECISIONS.md, "Reasoning"). */
export function describePick(facts: PickFacts, wished?: Asked, isPreview = false): string {
  const hasOwnClock = !haveOneClock(facts.start, facts.people);
  const asked = wished && { ...wished, wish: facts.wish ?? wished.wish, hasOwnClock };
  const names = namesOf(facts.people);
  const missed = [...firstMissedWords(facts, wished), ...missedWords(facts, names, asked)];
  // A single reason why the wish could not be met comes first, and what follows from it second.
  const lead = !isPreview && missed.length === 1 && missed[0]?.mayLead ? missed[0].clause : undefined;
  const isNewTime = lead === undefined && missed.length > 0;
  const opening = openingOf(facts, asked, lead);
  const first = isPreview ? previewed(facts, names, asked) : [withWhy(opening, facts, names, asked)];
  const after = [
    ...avoidedSentences(withoutBestHours(facts, withoutAsked(facts, asked)), names),
    ...(lead === undefined ? missed.map(({ clause }) => asSentence(clause)) : []),
    ...noticeWords(facts),
  ];
  const turn = turnWords(facts, names);
  const costs = pickCosts(facts, names, asked);
  const [only, ...others] = costs;
  const [reason = opening] = first;
  if (
    only?.kind === 'season' &&
    facts.leftAside === undefined &&
    others.length + after.length === 0 &&
    turn === '' &&
    reason !== opening
  )
    return say('pick.but', { sentence: reason.slice(0, -1), drawback: only.text });
  const words = joined(costs);
  const cost = words === '' ? [] : [asSentence(say(isNewTime ? 'bent.cost_of_new' : 'bent.cost', { words }))];
  return [...first, ...asideWords(facts, names), ...after, ...cost, ...(turn === '' ? [] : [turn])].join(' ');
}

/** Drops what a person avoids in favor of their best hours, or of a time they like, which the sentence before names. */
const withoutBestHours = ({ decided, people }: PickFacts, avoided: readonly Avoided[]): readonly Avoided[] =>
  avoided.filter(
    (fact) =>
      (fact.kind !== 'energy' && fact.kind !== 'learned_part') ||
      (decided.every((one) => one.kind !== 'energy' || one.email !== fact.email) &&
        people.every(({ email, rule }) => email !== fact.email || rule?.verdict !== 'prefer')),
  );

function asideWords({ leftAside }: PickFacts, names: Names): string[] {
  if (leftAside === undefined) return [];
  const who = names.short(leftAside.email);
  return [say(leftAside.settings.includes('work_hours') ? 'pick.outside_hours' : 'pick.aside', { who })];
}

/** Leaves out what another sentence says, and the edge of a person's day at which a moved meeting was and stays. */
function pickCosts(facts: PickFacts, names: Names, asked: Asked | undefined): Clause[] {
  const { context, fairness, drawbacks, leftAside, start, people } = facts;
  const isNoticed = context === 'urgent' || drawbacks.some(({ kind }) => kind === 'notice');
  const hasClockOf = (timeZone: string) =>
    asked !== undefined && clockIn(start, timeZone) === clockIn(asked.oldStart, timeZone);
  const kept = people.map((person) => ({
    ...person,
    ...(person.email === fairness?.turn && { outside: undefined }),
    ...((hasClockOf(person.timeZone) || person.email === leftAside?.email) && {
      isFirstThing: false,
      isLastThing: false,
    }),
    ...(person.email === leftAside?.email && { outside: undefined }),
    ...(person.email === asked?.email &&
      facts.decided.some(({ kind }) => kind === 'wish') && { rule: undefined, isUnliked: false }),
  })) as PickFacts['people'];
  return [
    ...costsOf({ ...facts, people: kept }, names).filter(({ kind }) =>
      facts.isOnlyHour ? kind === 'beside' : !(kind === 'notice' && isNoticed),
    ),
    ...againstWords(facts, names, asked).map((text) => ({ kind: 'against', text, hasComma: true })),
  ];
}

const noticeWords = ({ drawbacks, searched }: PickFacts): string[] =>
  drawbacks.flatMap((fact) =>
    fact.kind === 'notice'
      ? asSentence(say('bent.notice', { length: ofNotice(fact.wantedMinutes), limit: limitWords(searched) }))
      : [],
  );

/** Says when the meeting is. `lead` is the reason why a wish could not be met, if the sentence begins with it. */
function openingOf({ start, people }: PickFacts, asked: Asked | undefined, lead: string | undefined): string {
  const time = whenForBoth(start, people);
  if (lead !== undefined) return say('pick.because', { reason: capitalized(lead), time });
  return say(asked === undefined ? 'pick.new' : 'pick.moved', { time });
}

/** If the date and clock times already show all demands, only says who asked for the time. */
function withWhy(time: string, facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const sentence = time.slice(0, -1);
  const met = asked === undefined ? [] : metWords(facts, asked);
  const isWhole = facts.drawbacks.every(({ kind }) => kind !== 'wish' && kind !== 'shift');
  if (asked !== undefined && met.every(({ isShown }) => isShown)) {
    const told = { sentence, who: names.short(asked.email) };
    if (hasAskedBreak(facts, asked)) return say('pick.break', told);
    const [cannot, ...others] = met.map((one) => one.cannot);
    if (cannot !== undefined && others.length === 0 && isWhole && !asked.isTaste)
      return say('pick.cannot', { ...told, days: cannot });
    if (met.length > 0 && isWhole) return say(asked.isTaste ? 'pick.prefers' : 'pick.asked', told);
  }
  const [unseen, ...others] = met.filter(({ isShown }) => isShown !== true);
  if (asked !== undefined && unseen?.cannot !== undefined && others.length === 0 && isWhole)
    return say('pick.cannot', { sentence, who: names.short(asked.email), days: unseen.cannot });
  if (asked !== undefined && isClosestInstead(facts) && met.every(({ isShown }) => isShown))
    return say(isNext(facts, asked) ? 'pick.next' : 'pick.closest', { sentence });
  const why = reasonsFor(facts, names, asked, met);
  return why === '' ? time : say('pick.why', { sentence, why });
}

const isClosestInstead = ({ decided, drawbacks }: PickFacts): boolean =>
  decided.some((fact) => fact.kind === 'nearest' && fact.to === 'asked_time') &&
  drawbacks.some(({ kind }) => kind === 'wish' || kind === 'shift');

/** Returns true if a meeting that should move later by some minutes moves to the first free time after that. */
const isNext = ({ start, drawbacks }: PickFacts, { oldStart, timeZone, wish }: Asked): boolean =>
  wish.relative === 'later' &&
  dateIn(start, timeZone) === dateIn(oldStart, timeZone) &&
  drawbacks.some((fact) => fact.kind === 'shift' && start > oldStart + fact.minutes * MINUTE);

/** Says only the reasons for a chosen time, for a preview. The preview has given the time just before, as data. */
function previewed(facts: PickFacts, names: Names, asked: Asked | undefined): string[] {
  const met = asked === undefined ? [] : metWords(facts, asked);
  const why = reasonsFor(
    facts,
    names,
    asked,
    met.map((one) => ({ ...one, isShown: false })),
  );
  return why === '' ? [] : [say('pick.preview', { why })];
}

function reasonsFor(facts: PickFacts, names: Names, asked: Asked | undefined, met: readonly MetWords[]): string {
  // The date and clock times that the sentence has just given show some of the parts.
  const unseen = met.filter(({ isShown }) => isShown !== true);
  if (hasAskedBreak(facts, asked)) unseen.push({ words: say('why.break') });
  if (asked === undefined || unseen.length === 0) return movedWords(facts, asked) ?? whyWords(facts, names, asked);
  const parts = together(unseen).words;
  return say(asked.isTaste ? 'why.prefers' : 'why.asked', { parts, who: names.short(asked.email) });
}

/** Says by how much a meeting moved within its day, if it could not move by the minutes that were asked for. */
function movedWords({ start, drawbacks }: PickFacts, asked: Asked | undefined): string | undefined {
  if (asked === undefined || drawbacks.every(({ kind }) => kind !== 'shift')) return undefined;
  const { oldStart, timeZone } = asked;
  const minutes = (start - oldStart) / MINUTE;
  const isSameDay = dateIn(start, timeZone) === dateIn(oldStart, timeZone);
  if (!isSameDay || !Number.isInteger(minutes) || minutes === 0) return undefined;
  const relative = minutes > 0 ? 'later' : 'earlier';
  return say('why.moved', { shift: shiftWords({ relative }, Math.abs(minutes)) });
}

function whyWords(facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const isUnasked = asked !== undefined && (asked.wish.unasked === true || Object.keys(asked.wish).length === 0);
  const has = (kind: Decided['kind']) => facts.decided.some((fact) => fact.kind === kind);
  if (isUnasked && has('nearest')) return say('why.nearest_unasked');
  const decided = decidedWords(oncePerPart(facts.decided).filter(isUntold(facts)), names);
  const reasons = [...placeReasons(facts), ...decided, ...(isUnasked ? [] : dayReasons(facts, names))];
  if (isUnasked && reasons.length === 0 && facts.avoided.length === 0) {
    const days = daysAway(facts, asked);
    return days === undefined ? say('why.near_unasked') : say('gain.same_time_day', { days });
  }
  return listedClauses(reasons.slice(0, MOST_CLAUSES));
}

/** Returns a function that is false for a liking or best hours of which the person's own rule, told beside it, says more or the opposite. */
const isUntold =
  ({ people }: PickFacts) =>
  (fact: Decided): boolean =>
    (fact.kind !== 'learned_part' && fact.kind !== 'learned_day' && fact.kind !== 'energy') ||
    people.every(({ email, rule }) => email !== fact.email || rule === undefined);

function placeReasons(facts: PickFacts): string[] {
  const { start, people, searched, drawbacks, isFirst, isFirstWithNotice } = facts;
  const limit = limitWords(searched);
  if (facts.isOnlyTime) return [say('its', { what: say('gain.only', { limit }) })];
  if (facts.isOnlyHour) return [say('its', { what: say('gain.only_hour') })];
  // That the time comes at short notice says already that no other day suits both.
  const isShort = drawbacks.some(({ kind }) => kind === 'notice');
  const day = sayDate(localDate(people[0].timeZone, start)).split(',')[0] ?? '';
  if (facts.isOnlyDay) return isShort ? [] : [say('why.only_day', { day, limit })];
  if (!isFirst || searched?.isFromNow !== true) return [];
  return [say(isFirstWithNotice ? 'why.first_noticed' : 'why.first')];
}

function decidedWords(facts: readonly Decided[], names: Names): string[] {
  const energies = facts.flatMap((fact) => (fact.kind === 'energy' ? [fact] : []));
  const best = [...Map.groupBy(energies, ({ part }) => part)].map(([part, own]) =>
    say('why.best_hours', { part, whose: listed(own.map(({ email }) => say('whose', { who: names.short(email) }))) }),
  );
  return [...facts.flatMap((fact) => clauseOf(fact, names) ?? []), ...best];
}

function clauseOf(fact: Decided, names: Names): string | undefined {
  switch (fact.kind) {
    case 'wish':
    case 'energy':
      return undefined;
    case 'in_range':
      return say('why.in_range');
    case 'context':
      return say('why.context', { part: fact.part, kind: KIND[fact.context] });
    case 'learned_part':
      return say('why.likes', { who: names.short(fact.email), times: `${fact.part}s` });
    case 'learned_day':
      return say('why.likes', { who: names.short(fact.email), times: `${capitalized(fact.weekday)}s` });
    case 'nearest':
      return say(fact.to === 'old_time' ? 'why.nearest_old' : 'why.nearest_asked');
  }
}

/** Says how a time suits the two people's days. That it is mid-morning is said if nothing else says that it is a morning. */
function dayReasons(facts: PickFacts, names: Names): string[] {
  const isMorning = [...facts.decided, ...facts.drawbacks].some((fact) => 'part' in fact && fact.part === 'morning');
  return gainsOf(facts, names)
    .filter(
      ({ kind }, _, all) => kind === (all.some((one) => one.kind === 'prefer') || isMorning ? 'prefer' : 'mid_morning'),
    )
    .map(({ text }) => say('its', { what: text }));
}

/** Says how many days later or earlier a moved meeting is, if it keeps its clock time for the attendee who asked. */
function daysAway({ start }: PickFacts, { oldStart, timeZone }: Asked): string | undefined {
  const days = localDay(timeZone, start) - localDay(timeZone, oldStart);
  if (days === 0 || clockIn(start, timeZone) !== clockIn(oldStart, timeZone)) return undefined;
  return farWords(days);
}

/** Says whose turn it was to meet outside their day, if that decided between times that are equally good. */
function turnWords({ fairness, people }: PickFacts, names: Names): string {
  const own = people.find(({ email }) => email === fairness?.turn);
  const other = people.find(({ email }) => email !== fairness?.turn);
  if (own?.outside === undefined || other === undefined) return '';
  const side = say(own.outside === 'early' ? 'cost.early' : 'cost.late');
  return say('turn', { side, other: names.short(own.email), who: names.short(other.email) });
}

function hasAskedBreak({ people }: PickFacts, asked: Asked | undefined): boolean {
  if (asked?.wish.pause !== true || asked.isTaste) return false;
  const { meetings, focus } = people.find(({ email }) => email === asked.email) ?? people[0];
  return !meetings.before && !meetings.after && !focus.before && !focus.after;
}

/** Drops what the person who asked wants of every time, and the break that the sentence before says the time leaves. */
const withoutAsked = (facts: PickFacts, asked: Asked | undefined): readonly Avoided[] =>
  facts.avoided.filter(
    (fact) =>
      !isTaught(fact, asked) &&
      !(fact.kind === 'back_to_back' && hasAskedBreak(facts, asked)) &&
      !(fact.kind === 'standing_rule' && fact.email === asked?.email),
  );

/** "It avoids mornings and Mondays, as Bob prefers, and leaves lunch free for Ada." */
function avoidedSentences(facts: readonly Avoided[], names: Names): string[] {
  const words = avoidedWords(facts, names);
  return [...(words === '' ? [] : [say('avoided', { words })]), ...ruleSentences(facts, names)];
}

function avoidedWords(facts: readonly Avoided[], names: Names): string {
  const times = new Map<string, Set<string>>();
  const withRoom = new Set<string>();
  const focused: string[] = [];
  for (const fact of facts) {
    if (fact.kind === 'standing_rule') continue;
    const who = names.short(fact.email);
    const dislikes = (words: string) => times.set(who, (times.get(who) ?? new Set()).add(words));
    if (fact.kind === 'learned_part' || fact.kind === 'energy') dislikes(`${fact.part}s`);
    else if (fact.kind === 'learned_day') dislikes(`${capitalized(fact.weekday)}s`);
    else if (fact.kind === 'back_to_back') withRoom.add(who);
    else focused.push(who);
  }
  const clauses = [...times].map(([who, words]) => say('avoided.times', { times: listed([...words]), who }));
  if (withRoom.size > 0)
    clauses.push(
      withRoom.size > 1 ? say('avoided.room_for_both') : say('avoided.room', { who: listed([...withRoom]) }),
    );
  const [who, other] = focused;
  if (who !== undefined)
    clauses.push(
      say('avoided.kept', {
        times: other === undefined ? say('avoided.focus', { who }) : say('avoided.focus_of_both', { who, other }),
      }),
    );
  return listedClauses(clauses);
}

function ruleSentences(facts: readonly Avoided[], names: Names): string[] {
  const rules = facts.flatMap((fact) => (fact.kind === 'standing_rule' ? [fact] : []));
  const ofPeople = [...Map.groupBy(rules, ({ email }) => email)].map(([email, own]) =>
    sayRule(
      names.short(email),
      own.flatMap(({ blocks }) => blocks),
      'rule.asked',
    ),
  );
  return ofPeople.length === 0 ? [] : [say('avoided.rules', { rules: listed(ofPeople) })];
}
