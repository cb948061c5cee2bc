import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Box, ClockSpan, Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../calendar.ts';
import type { Part } from './clauses.ts';
import { NOON, WORK_END } from './clocks.ts';
import type { Place } from './places.ts';
import { rulesAgainst, rulesFor, type SaidRefused, type SaidWanted } from './settle.ts';

const SOFT =
  /^(?:rather|prefer|ideally|preferably|possible|hate|dislike|try|hard|harder|tough|tricky|rough|difficult|worse|struggle|fan|keen|person|great|ideal|hopeless|useless)$/;
const LIKES =
  /^(?:ideally|preferably|prefer\w*|rather|like|likes|love|happy|if|best|better|suits?|great|good|fine|ok|welcome|favourite|works?|easier|easiest|perfect|ideal|lovely|nice|grand|favour|happier)$/;
const DEPARTS =
  /\b(?:(?:i|we|to|will) board|boarding|fly|flying|flights?|trains?|plane|ferry|departs?|sails?|tak(?:e|es|ing) off)\b/;
const ARRIVES = /\b(?:lands?|landing|touch down|arrives?|arriving|get in)\b/;
const OWES = /\b(?:(?:have|has|need|needs|got|ive|weve) to|gotta|must)\b/;
const OTHERS =
  /\b(?:(?<!\b(?:have|hold|schedule|book|arrange|set|set up) )(?:a|an|another) (?:call|meeting)|some(?:thing|where|body|one))\b/;
const [EVENING, NOT_EARLY, NOT_LATE, EARLY] = [1020, 600, 960, 600];

export interface Told {
  part: Part;
  places: (Place & { toldDay?: number | undefined })[];
  quote: string;
  words: string[];
  isContext: boolean;
  isAlways: boolean;
  calendar: Calendar;
}

export function readPart(told: Told): Partial<Reading> | undefined {
  const { part, places, quote, words, isContext, isAlways, calendar } = told;
  const moving = part.items.find((one) => one.moving)?.moving;
  const said = words.join(' ');
  const wish = (place: Place) => wantedBox(place, calendar);
  const isBare = part.items[0]?.tag === 'T' && !part.isOnly;
  const elements = part.items.flatMap(({ times }) => times?.segments.flat() ?? []);
  const isLimit = elements.some(({ clock, bound }) => clock && /^(?:after|before|from|until|by)$/.test(bound));
  const isWithin = isBare || part.items.some(({ times }) => times?.isFronted);
  const event = (place: Place) => eventBox(place, calendar, !isContext && DEPARTS.test(said));
  const isDated = elements.some(({ day }) => day?.span && !day.isSpan && day.weekday === undefined && !day.weekdays);
  if (isContext ? isDated || isUnsure(told, said) : isFigure(told, said)) return undefined;
  switch (part.verdict) {
    case 'source':
      return {};
    case 'told':
      if (moving?.tag === 'B' && !moving.isClose) return movesOf(told);
      return isContext ? { standing: [{ kind: 'buffer', verdict: 'unwanted', quote }] } : {};
    case 'moves':
    case 'not_too':
      return movesOf(told);
    case 'works':
      return isContext ? { standing: rulesFor(places.map(wish), true, quote, isWithin) } : undefined;
    case 'wanted': {
      const isStrict = isContext && !part.isOccasion && (!isBare || isLimit);
      const isOnly = part.isOnly || (isStrict && !words.some((word) => LIKES.test(word)));
      if (isContext) return { standing: rulesFor(places.map(wish), isOnly, quote, isWithin) };
      if (part.items.at(-2)?.tag === 'z' && !places.every(({ isPoint }) => isPoint)) return undefined;
      if (OWES.test(said) && (OTHERS.test(said) || part.items.some(({ tag }) => tag === 'k'))) return undefined;
      const isPut = part.items.some(({ tag }) => tag === 'M');
      if (places.some((place) => isAroundOld(place, calendar)))
        return part.items[0]?.tag === 'X' ? refuse(told, event) : undefined;
      const until = (place: Place) =>
        isPut && place.until ? { ...place, dates: [{ first: place.until.first }] } : place;
      const strength = isOnly ? ('must' as const) : ('rather' as const);
      const general = places.filter(({ isGeneral }) => isGeneral || isAlways);
      return {
        wanted: places.map((place): SaidWanted => ({ ...wish(until(place)), strength, quote, named: namedBy(place) })),
        standing: rulesFor(general.map(wish), isOnly, quote),
      };
    }
    case 'event': {
      const isEvent = (place: Place) =>
        isAtOld(place, calendar) && !(part.items[0]?.tag === 'T' && part.items.length > 1 && place.clock);
      return isContext || places.every(isEvent) ? refuse(told, event) : undefined;
    }
    case 'taken': {
      // "I take pitches before ten" may ask for these hours, unless they are those of the meeting.
      const isHabit = places.every(({ dates, weekdays, clock, isPoint }) => {
        if (dates || weekdays || isPoint || !clock) return false;
        return clock.to <= calendar.oldMinute || calendar.oldMinute < clock.from;
      });
      const tags = part.items.map(({ tag }) => tag).join('');
      return !isContext && isHabit && /^s[^ihk]*$/.test(tags) ? undefined : refuse(told, event);
    }
    case 'refused':
      return refuse(told, (place) => ruledOut(place, told));
    case 'back': {
      const gone = refuse(told, (place) => beforeIt(place, ARRIVES.test(said)));
      const asked = (part.items.some(({ tag }) => tag === 'W') && gone?.refused) || [];
      return gone && { ...gone, wanted: asked.map((box) => ({ ...sinceIt(box), strength: 'rather', quote })) };
    }
    case 'over':
      return refuse(told, afterIt);
  }
}

/**
 * Returns true for words that only look like a refusal. "I can't wait till Friday" rules no days out, a month that "is a
 * nightmare" may be a person's name, and "not Wednesday, after 3" may ask for the hours.
 */
const isFigure = ({ part: { verdict, items }, places }: Told, said: string): boolean =>
  (verdict === 'refused' &&
    (/\bwait\b/.test(said) || /^(?:after|before|from|until|till)\b/.test(said.split(' , ')[1] ?? ''))) ||
  (/^(?:event|taken|refused)$/.test(verdict) &&
    !items.some(({ tag }) => tag === 'n') &&
    places.some((place) => isMonth(place) || (items[0]?.tag === 'X' && place.until)));

const isMonth = ({ dates, clock, until }: Place): boolean =>
  !clock && ((until ? [until] : dates)?.some(({ first = 0, last = 0 }) => last - first >= 27) ?? false);
const namedBy = ({ clock, weekday }: Place) => (clock ? undefined : weekday);
const isExact = ({ weekday, clock, isPoint }: Place) => (clock ? isPoint : weekday !== undefined);

function isUnsure({ part: { verdict, items }, places }: Told, said: string): boolean {
  const has = (tag: string) => items.some((one) => one.tag === tag);
  const isAdjective = /^si?X+T$/.test(items.map(({ tag }) => tag).join('')) && /^(?:i|we) (?:am|are)\b/.test(said);
  if (/\b(?:that|same) day\b/.test(said) || (verdict === 'taken' && isAdjective)) return true;
  if (verdict === 'back' || (verdict === 'refused' && has('n') && items[0]?.tag === 'X')) return has('X') && !has('s');
  if (verdict === 'event')
    return /\bhour\b/.test(said) || (!has('k') && items[0]?.tag === 'X' && places.every(isExact));
  return (
    (verdict === 'taken' && !has('k') && /^(?:i|we) (?:take|see|do)\b/.test(said)) ||
    (verdict === 'wanted' && items.length === 1 && places.every(({ isPoint, isAround }) => isPoint && !isAround)) ||
    (verdict === 'wanted' && /^(?:call|sync|meeting)\b.*\b(?:every|each|daily)\b/.test(said))
  );
}

function ruledOut(place: Place, { part: { items }, places, calendar }: Told): Box {
  const has = (tag: string) => items.some((one) => one.tag === tag);
  if (place.isBy && has('b')) return eventBox(place, calendar);
  const isOpen = has('n') && !has('b') && places.length === 1 && place.until?.first !== undefined && !place.clock;
  return isOpen ? { dates: [{ last: (place.until?.first ?? 0) - 1 }] } : refusedBox(place, calendar);
}

/** People who say "choir from seven" mean the evening, as nobody is away from the morning on. */
const afterEarly = (box: Box): Box =>
  box.clock && box.clock.from > 0 && box.clock.from < EARLY && box.clock.to === DAY_MINUTES
    ? { ...box, clock: { from: box.clock.from + NOON, to: DAY_MINUTES } }
    : box;

/** Refuses the times that `boxOf` makes of each place, and says what that teaches. */
function refuse(told: Told, boxOf: (place: Place) => Box | undefined): Partial<Reading> | undefined {
  const { part, places, quote, words, isContext, isAlways, calendar } = told;
  const isSoft = part.verdict === 'refused' && words.some((word) => SOFT.test(word)) && !words.includes('never');
  const boxes = places.map(boxOf);
  if (boxes.length === 0 || boxes.includes(undefined)) return undefined;
  const isLate = isContext && !/\d ?am\b/i.test(quote);
  const known = boxes.flatMap((box) => box ?? []).map((box) => (isLate ? afterEarly(box) : box));
  if (isContext) return { standing: rulesAgainst(known, quote, isSoft) };
  const isRefusal = part.verdict === 'refused';
  const isWish = isRefusal && part.items.some(({ tag }) => /[ne]/.test(tag));
  const isPlain = isRefusal && !part.isOccasion;
  const refused = known.map((own, i): SaidRefused => {
    const { weekday, isGeneral, toldDay: day = calendar.oldDay } = places[i] ?? {};
    const isEach = calendar.isNew && isRefusal && weekday !== undefined && !/\b(?:this|coming)\b/i.test(quote);
    const box = isEach ? { ...own, dates: undefined, weekdays: [weekday] } : own;
    const isNamed = weekday !== undefined && box.dates?.[0]?.first === box.dates?.[0]?.last;
    const isFree = isWish || isGeneral || box.dates || box.weekdays;
    return {
      ...(isFree ? box : { ...box, dates: [{ first: day, last: day }] }),
      quote,
      ...(isNamed && { named: weekday }),
      ...((isWish || isPlain) && { said: isSoft ? ('softly' as const) : ('firmly' as const) }),
    };
  });
  const general = known.filter((_, i) => {
    const { isGeneral, dates, weekday } = places[i] ?? {};
    return isGeneral || (isAlways && (dates === undefined || weekday !== undefined));
  });
  const weekdays = isPlain ? places.flatMap(({ weekday, clock }) => (clock ? [] : (weekday ?? []))) : [];
  if (weekdays.length > 0 && general.length === 0)
    return { refused, standing: [{ kind: 'times', verdict: 'rather_not', weekdays, quote }] };
  return { refused, standing: rulesAgainst(general, quote, isSoft) };
}

function movesOf({ part: { verdict, items }, places, quote, calendar }: Told): Partial<Reading> {
  const moving = items.find((one) => one.moving)?.moving;
  switch (moving?.tag) {
    case 'D':
      return { moves: [{ ...moving.move, quote }] };
    case 'U':
      return { soon: { when: moving.soon, quote } };
    case 'O':
      return { refused: [{ dates: [{ first: calendar.oldDay, last: calendar.oldDay }], quote }] };
    case 'B':
      return { standing: [{ kind: 'buffer', verdict: 'wanted', minutes: moving.minutes || undefined, quote }] };
    case 'Z':
      return { standing: [{ kind: 'most_per_day', most: moving.most, quote }] };
    case 'C': {
      const { isLate } = moving;
      const latest = Math.min(NOT_LATE, Math.max(calendar.isNew ? NOT_LATE : calendar.oldMinute, NOON));
      const clock = isLate ? { from: 0, to: latest } : { from: NOT_EARLY, to: DAY_MINUTES };
      if (verdict === 'not_too') return { wanted: [{ clock, strength: 'rather', quote }] };
      const weekdays = places.flatMap((place) => place.weekdays ?? []);
      const hours = isLate ? { from: EVENING, to: DAY_MINUTES } : { from: 0, to: NOON };
      return {
        moves: [{ direction: isLate ? 'earlier' : 'later', what: 'clock', exactly: false, quote }],
        standing: [
          { kind: 'times', verdict: 'rather_not', clock: hours, ...(weekdays.length > 0 && { weekdays }), quote },
        ],
      };
    }
    default:
      return {};
  }
}

/** Minutes before and after the start of something that takes place at one clock time, in which nobody can meet. */
const [BEFORE_EVENT, AFTER_EVENT, LONGEST_EVENT, NEAR] = [30, 90, 240, 30];
const PARTS_OF_DAY = new Set(['0-720', '720-1020', '720-1080', '900-1080', '840-960']);

const daysIn = ({ dates, weekdays }: Box): Box => ({ dates, weekdays });

/** Refused afternoons last until the evening: who cannot meet in the afternoon will not like a meeting at 17:00 either. */
export const toEvening = ({ from, to }: ClockSpan) => ({ from, to: from === NOON && to === 1020 ? WORK_END : to });

export function wantedBox(given: Place, { durationMinutes, today, minute = 0 }: Calendar): Box & { aim?: number } {
  const { clock, isPoint, isAround, weekday } = given;
  const isOver = weekday !== undefined && given.dates?.[0]?.first === today && (clock?.to ?? WORK_END) <= minute;
  const place = isOver ? { ...given, dates: [{ first: today + 7, last: today + 7 }] } : given;
  if (!clock) return daysIn(place);
  const near = isAround ? NEAR : 0;
  const length = isPoint || isAround ? durationMinutes : 0;
  const hours = { from: Math.max(0, clock.from - near), to: Math.min(DAY_MINUTES, clock.to + near + length) };
  return { ...daysIn(place), clock: hours, ...(isAround && isPoint && { aim: clock.from }) };
}

export function refusedBox(place: Place, { durationMinutes }: Calendar): Box {
  const { clock, isPoint } = place;
  const isBoth = place.dates && place.weekdays;
  if (!clock) return { ...daysIn(place), ...(isBoth && { clock: { from: 0, to: DAY_MINUTES } }) };
  const hours = isPoint ? { from: clock.from, to: clock.from + durationMinutes } : toEvening(clock);
  return { ...daysIn(place), clock: hours };
}

export function eventBox(place: Place, calendar: Calendar, isDeparture = false): Box {
  const { clock, isPoint } = place;
  if (place.isBy) return afterIt(place) ?? refusedBox(place, calendar);
  if (!clock || !isPoint) return refusedBox(place, calendar);
  const to = isDeparture ? DAY_MINUTES : Math.min(DAY_MINUTES, clock.from + AFTER_EVENT);
  return { ...daysIn(place), clock: { from: Math.max(0, clock.from - BEFORE_EVENT), to } };
}

/** Returns the times before somebody is back or begins, and for an arrival the time to get out as well. */
export function beforeIt(place: Place, isArrival = false): Box | undefined {
  const { dates, clock: back, isPoint } = place;
  if (back) {
    const edge = (back.from > 0 || isPoint ? back.from : back.to) + (isArrival ? BEFORE_EVENT : 0);
    const clock = { from: place.since ?? 0, to: edge };
    return edge <= 0 || edge >= DAY_MINUTES ? undefined : { ...daysIn(place), clock };
  }
  const first = dates?.[0]?.first ?? dates?.[0]?.last;
  return first === undefined ? undefined : { dates: [{ last: first - 1 }] };
}

export const sinceIt = ({ dates, clock }: Box): Box =>
  clock ? { dates, clock: { from: clock.to, to: DAY_MINUTES } } : { dates: [{ first: (dates?.[0]?.last ?? 0) + 1 }] };

export function afterIt(place: Place): Box | undefined {
  const { clock } = place;
  const edge = clock && (clock.from > 0 ? clock.from : clock.to);
  if (edge === undefined || edge <= 0 || edge >= DAY_MINUTES) return undefined;
  return { ...daysIn(place), clock: { from: edge, to: DAY_MINUTES } };
}

export function isAtOld({ dates, weekdays, clock }: Place, { oldDay, oldMinute, durationMinutes }: Calendar): boolean {
  const [span] = dates ?? [{ first: oldDay, last: oldDay }];
  if (weekdays || !(dates || clock) || (dates?.length ?? 1) > 1) return false;
  if (span?.first !== oldDay || span.last !== oldDay) return false;
  const { from, to } = clock ?? { from: 0, to: DAY_MINUTES };
  return from - AFTER_EVENT < oldMinute + durationMinutes && oldMinute < to + AFTER_EVENT;
}

export function isAroundOld(place: Place, calendar: Calendar): boolean {
  const { clock, isPoint, isAround, isGeneral } = place;
  if (!clock || isPoint || isAround || isGeneral || clock.to - clock.from > LONGEST_EVENT) return false;
  const { oldMinute, durationMinutes } = calendar;
  const holds = clock.from <= oldMinute && oldMinute + durationMinutes <= clock.to;
  return holds && isAtOld(place, calendar) && !PARTS_OF_DAY.has(`${clock.from}-${clock.to}`);
}
