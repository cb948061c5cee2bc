import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Box, Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../calendar.ts';
import { afterIt, beforeIt, eventBox, isAroundOld, isAtOld, refusedBox, sinceIt, wantedBox } from './boxes.ts';
import type { Part } from './grammar.ts';
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
const [NOON, EVENING, NOT_EARLY, NOT_LATE, EARLY] = [720, 1020, 600, 960, 600];

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
