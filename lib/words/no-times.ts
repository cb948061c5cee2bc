import type { NoTimes, RulesOfPerson } from '../engine/rules/no-times.ts';
import type { Change } from '../engine/rules/relaxations.ts';
import type { Cause, Miss } from '../engine/rules/why-empty.ts';
import { sayDate } from '../engine/time/dates.ts';
import { dateWords } from './clauses.ts';
import { holidayName, holidayOn, probably } from './holiday-name.ts';
import { say } from './patterns.ts';
import {
  capitalized,
  clockAndPlace,
  clockIn,
  clockOf,
  haveOneClock,
  listed,
  type Names,
  namesOf,
  quotedWords,
  stretch,
  whenForBoth,
} from './people.ts';
import { sayRule } from './understood.ts';

/** Also says how close work hours that never meet come, or else how far Tandem has looked in vain. */
export function sayNoTimes(none: NoTimes): string {
  const names = namesOf(none.people);
  const why = whyWords(none, names);
  if (none.nearest !== undefined) return `${why} ${missWords(none, none.nearest, names)}`;
  // After a sentence about work hours or notice, the days that follow are no news.
  const isOfRules = none.causes.every(({ rule }) => !['window', 'work_hours', 'notice'].includes(rule));
  return none.noneUntil === undefined || !isOfRules
    ? why
    : `${why} ${say('none.also_until', { day: sayDate(none.noneUntil) })}`;
}

/**
 * Names the changes that would open times, each with its best time: "If Ada took one more meeting that day, the best
 * time would be …" Only a search of more days needs no condition. Of focus blocks with the same hours, and of the days
 * of one holiday, it names the one that opens the earliest time.
 */
export function saySuggestions({ relaxations, people }: NoTimes): string[] {
  const names = namesOf(people);
  // Nobody reads back what they ruled out in their own words, or a holiday that the answer has just named, as advice.
  const kept = relaxations.filter(({ change }) => change !== 'without_rule' && change !== 'work_on_holiday');
  const alike = Map.groupBy(kept.length > 0 ? kept : relaxations, (relaxation) => {
    if (relaxation.change === 'work_on_holiday') return `${relaxation.email} ${relaxation.holiday.name}`;
    if (relaxation.change !== 'without_focus_block') return relaxation;
    return `${relaxation.email} ${relaxation.focusBlock.start} ${relaxation.focusBlock.end}`;
  });
  return [...alike.values()].flatMap((same) => {
    const earliest = same.toSorted((one, other) => one.first - other.first)[0];
    if (earliest === undefined) return [];
    const time = onDate(earliest.best, people, names);
    if (earliest.change === 'more_days') return [say('open.more_days', { time })];
    const isOnly = same.length === 1 && earliest.opens === 1;
    const which = earliest.change === 'longer_hours' ? 'open.first' : 'open.best';
    return [say(isOnly ? 'open.only' : which, { change: changeWords(earliest, names), time })];
  });
}

/** Uses both clocks, and says if it is over lunch, on 24 or 31 December or on a bridge day. */
function onDate(start: number, people: NoTimes['people'], names: Names): string {
  const time = whenForBoth(start, people);
  const onClocks = people.map((person) => ({ ...person, bridge: person.bridges.get(start) }));
  const season = dateWords(start, onClocks, names);
  const onDay = season === undefined ? time : say('open.date', { time, season: season.text });
  const [own, ...others] = people.filter(({ lunches }) => lunches.has(start));
  if (own === undefined) return onDay;
  return say('open.lunch', { time: onDay, who: others.length > 0 ? 'both' : names.short(own.email) });
}

function whyWords(none: NoTimes, names: Names): string {
  const { causes, durationMinutes, people } = none;
  const [length, free, where] = [`${durationMinutes} minutes`, freeWords(durationMinutes), whereWords(none)];
  const [first] = causes;
  switch (first?.rule) {
    case undefined:
    case 'window':
      return say('none.window', { length, where });
    case 'notice':
      return say('none.notice', { where });
    case 'work_hours':
      return causes.length === 1
        ? say('none.work_hours', { who: names.short(first.email ?? ''), length: free, where })
        : none.doHoursMeet
          ? say('none.few_shared_hours', { ...ofBoth(people, names), length, where })
          : say('none.shared_hours', { ...ofBoth(people, names), where });
    default: {
      const ofDay = dayWords(none, names);
      if (ofDay !== undefined) return ofDay;
      const busy = busyWords(none, names);
      const rules = busy === undefined ? people.flatMap((person) => rulesWords(person, causes, names)) : [busy];
      if (causes.some(({ rule }) => rule === 'had_before')) rules.push(say('rule.had_before'));
      const told = { rules: listed(rules), length: free, where: none.wasFree ? restWords(none) : where };
      if (rules.length > 1 || busy !== undefined) return say('none.together', told);
      const leave = causes.every(({ rule }) => rule === 'standing_rule') ? 'leaves' : 'leave';
      return capitalized(say('none.rules', { ...told, leave }));
    }
  }
}

/** Formats a duration to stand after "no": "half hour", "45 minutes". */
const freeWords = (minutes: number): string =>
  minutes === 30 ? 'half hour' : minutes === 60 ? 'hour' : `${minutes} minutes`;

function dayWords({ causes, people, dates, wasFree, narrowedTo }: NoTimes, names: Names): string | undefined {
  if (dates === undefined || dates.first !== dates.last || wasFree || narrowedTo.length > 0) return undefined;
  const day = sayDate(dates.first);
  const off = people.filter(({ holidayNames }) => holidayNames.length > 0);
  const [own] = off;
  if (causes.every(({ rule }) => rule === 'holiday') && own !== undefined) {
    const isOneName = off.every(({ holidayNames }) => holidayNames[0] === own.holidayNames[0]);
    const holiday = isOneName ? holidayOn(own.holidayNames[0] ?? '') : say('holiday.unnamed');
    return off.length > 1
      ? say('none.holiday', { day, holiday, who: 'both' })
      : say('none.day_off', { day, holiday, who: names.short(own.email) });
  }
  const [cause, ...others] = causes;
  const full = people.find(({ email }) => cause?.rule === 'day_limit' && email === cause.email);
  if (full === undefined || others.length > 0) return undefined;
  return say('none.full_day', { who: names.short(full.email), meetings: meetingsWords(full), day });
}

function busyWords({ causes, people: [one, two] }: NoTimes, names: Names): string | undefined {
  if (causes.length !== 2 || causes.some(({ rule }) => rule !== 'busy')) return undefined;
  return say('rule.busy_of_both', ofBoth([one, two], names));
}

const ofBoth = ([one, two]: NoTimes['people'], names: Names) => ({
  who: names.short(one.email),
  other: names.short(two.email),
});

const meetingsWords = ({ maxMeetingsPerDay }: RulesOfPerson) =>
  maxMeetingsPerDay === 1 ? 'one meeting' : `${maxMeetingsPerDay} meetings`;

function rulesWords(person: RulesOfPerson, causes: readonly Cause[], names: Names): string[] {
  const { email, bufferMinutes, holidayNames, ownRules } = person;
  const who = names.short(email);
  const has = (rule: Cause['rule']) => causes.some((cause) => cause.email === email && cause.rule === rule);
  const rules: string[] = [];
  if (has('busy'))
    rules.push(has('buffer') ? say('rule.busy_buffer', { who, minutes: bufferMinutes }) : say('rule.busy', { who }));
  if (has('focus_block')) rules.push(say('rule.focus_block', { who }));
  if (has('standing_rule')) rules.push(...ownRules.map((blocks) => sayRule(who, blocks)));
  if (has('day_limit')) {
    rules.push(say('rule.day_limit', { who, meetings: meetingsWords(person) }));
  }
  if (has('holiday')) rules.push(say('rule.holiday', { who, names: listed(holidayNames.map(holidayName)) }));
  return rules;
}

function whereWords({ dates, narrowedTo }: NoTimes): string {
  if (dates === undefined) return say('where.range');
  const [first, last] = [sayDate(dates.first), sayDate(dates.last)];
  const where = first === last ? say('when.on', { days: first }) : say('when.between', { first, last });
  return asAsked(where, narrowedTo);
}

const restWords = ({ dates, narrowedTo }: NoTimes): string =>
  dates === undefined
    ? say('where.rest_of_range')
    : asAsked(say('where.rest', { day: sayDate(dates.last) }), narrowedTo);

const asAsked = (dates: string, narrowedTo: NoTimes['narrowedTo']): string =>
  narrowedTo.reduce(
    (asked, { by, words }) =>
      by === 'when'
        ? words.length > 0
          ? say('asked.when', { dates: asked, words: quotedWords(...words) })
          : say('asked.unquoted', { dates: asked })
        : say('asked.ranges', { dates: asked }),
    dates,
  );

/** "18:30 in Sydney is 7:30 in London, half an hour before Chloe's day starts." */
function missWords({ people }: NoTimes, { email, at, start, missedBy }: Miss, names: Names): string {
  const [own, theirs] = email === people[0].email ? people : [people[1], people[0]];
  const told = { length: stretch(missedBy), who: names.short(email) };
  if (haveOneClock(at, people)) {
    const clock = clockIn(at, own.timeZone);
    return say(start === undefined ? 'none.miss_end' : 'none.miss_start', { clock, ...told });
  }
  return say(start === undefined ? 'none.nearest_end' : 'none.nearest_start', {
    clock: clockAndPlace(at, theirs.timeZone),
    ownClock: clockAndPlace(at, own.timeZone),
    ...told,
  });
}

function changeWords(change: Exclude<Change, { change: 'more_days' }>, names: Names): string {
  const who = change.email === null ? '' : names.short(change.email);
  switch (change.change) {
    case 'shorter_duration':
      return say('open.shorter_duration', { minutes: change.durationMinutes });
    case 'no_buffer':
      return say('open.no_buffer', { who, minutes: change.bufferMinutes });
    case 'one_more_meeting_a_day':
      return say('open.one_more', { who });
    case 'without_focus_block': {
      const { day, start, end } = change.focusBlock;
      return say('open.focus_block', { who, day: capitalized(day), start: clockOf(start), end: clockOf(end) });
    }
    case 'without_when':
      return change.words === '' ? say('open.unquoted') : say('open.when', { words: quotedWords(change.words) });
    case 'without_time_ranges':
      return say('open.time_ranges');
    case 'without_rule':
      return say('open.rule', { rule: sayRule(who, change.blocks) });
    case 'work_on_holiday': {
      const { name, date } = change.holiday;
      return say('open.holiday', { who, holiday: holidayName(name), day: probably(name, sayDate(date)) });
    }
    case 'longer_hours':
      return change.start === undefined
        ? say('open.until', { who, clock: clockOf(change.end ?? '') })
        : say('open.from', { who, clock: clockOf(change.start) });
    case 'weekends':
      return say('open.weekends', { who });
  }
}
