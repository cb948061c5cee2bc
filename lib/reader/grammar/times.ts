import { DAY_MINUTES, mondayOf } from '../../engine/time/dates.ts';
import type { Calendar } from '../calendar.ts';
import { elementsOf, type Found } from './elements.ts';
import { phrasesOf, skip, type Word } from './lexicon.ts';
import { type Element, type Place, placesOf } from './places.ts';
import type { Told } from './weeks.ts';

export interface Times {
  next: number;
  places: Place[];
  segments: Element[][];
  joint: 'and' | 'or' | ',' | '';
  isPast: boolean;
  isUnclear: boolean;
  isFronted?: boolean;
  commas: number[];
  toldDay: number;
}

const WHOLE_DAY = phrasesOf('whenever|anytime|any time|all day|any hour');
const isWeekday = (one?: Element) => one?.day?.weekday !== undefined && one.clock === undefined;
const PADDING =
  /^(?:maybe|perhaps|even|possibly|alternatively|either|else|also|again|then|failing|otherwise|ideally|preferably)$/;

/** `isLoose` reads "make it 4". An exception (`excluded`) does not take what follows its comma. */
export function timesAt(word: Word, at: number, calendar: Calendar, told: Told, isLoose: boolean, excluded = '') {
  const here = { ...told };
  const elementAt = elementsOf(word, calendar, here, isLoose);
  const hasOwnHours = ({ day, next: end }: Found) => day === undefined || elementAt(end, 'day')?.clock !== undefined;
  const segments: Element[][] = [[]];
  const commas: number[] = [];
  const joints: string[] = [];
  let joint: Times['joint'] = '';
  let [isPast, isUnclear] = [false, false];
  let [next, i] = [at, at];
  let last: 'day' | 'clock' | '' = '';
  while (true) {
    const found = elementAt(i, last);
    if (found === undefined) break;
    // People write "mon tue thu" without commas.
    if (found.bound === '' && found.day?.weekday !== undefined && isWeekday(segments.at(-1)?.at(-1))) {
      joint ||= 'and';
      joints.push('and');
      segments.push([]);
    }
    segments.at(-1)?.push(found);
    const { first, last: end } = found.day?.span ?? {};
    if (first !== undefined && first === end) here.day = first;
    last = found.clock ? 'clock' : 'day';
    isPast ||= found.day?.isPast ?? false;
    isUnclear ||= found.isUnclear || (found.day?.isUnclear ?? false);
    next = found.next;
    const whole = found.day ? WHOLE_DAY(word, next) : 0;
    if (whole > 0 && !/^(?:after|before|from|between|until|that|this|next)$/.test(word(next + whole))) {
      next += whole;
      segments.at(-1)?.push({ clock: { from: 0, to: DAY_MINUTES, next, isPoint: false }, bound: '' });
    }
    const conjunction = conjunctionAt(next);
    if (conjunction && elementAt(conjunction.next, last === 'clock' ? 'clock' : '')) {
      joint = conjunction.kind === ',' && joint !== '' ? joint : conjunction.kind;
      if (conjunction.kind === ',') commas.push(next);
      joints.push(conjunction.kind);
      segments.push([]);
      i = conjunction.next;
    } else if (word(next) === ',' && joint === '' && excluded !== 'e' && isOther(next + 1)) {
      commas.push(next);
      i = next + 1;
    } else i = next;
  }
  if (next === at) return undefined;
  const places = isPast || isUnclear ? [] : placesOf(segments, excluded === '' ? joints : []);
  isUnclear ||= places === undefined;
  const read: Times = { next, places: places ?? [], segments, joint, commas, toldDay: told.day, isPast, isUnclear };
  for (const { dates: [span] = [] } of read.places) {
    const day = span?.first ?? span?.last;
    if (day === undefined) continue;
    if (span?.first === span?.last) told.day = day;
    told.week = mondayOf(day);
  }
  return read;

  function isOther(j: number): boolean {
    const own = segments.at(-1) ?? [];
    const found = elementAt(j, '');
    if (found === undefined || own.length !== 1) return false;
    const isDeadline = own[0]?.bound !== '' && found.clock?.isPoint === false;
    return own[0]?.clock === undefined ? found.clock !== undefined && !isDeadline : !hasOwnHours(found);
  }

  function conjunctionAt(j: number): { kind: 'and' | 'or' | ','; next: number } | undefined {
    const isComma = word(j) === ',';
    const k = isComma ? j + 1 : j;
    const isWord = /^(?:and|&|\+|\/|or|nor|plus)$/.test(word(k));
    if (!isComma && !isWord) return undefined;
    const kind = /^n?or$/.test(word(k)) ? 'or' : isWord ? 'and' : ',';
    const first = isWord ? k + 1 : k;
    const next = skip(word, first, PADDING);
    const [own, found] = [segments.at(-1) ?? [], elementAt(next, '')];
    const isSaid = /^(?:i|im|ive|we|no|not)$/.test(word(found?.next ?? next)) && own.some(({ clock }) => clock);
    const isApart = found?.day && own.every(({ day }) => !day) && hasOwnHours(found);
    const isAsked = excluded === 'n' && /^(?:no|not)$/.test(word(next));
    if ((isSaid && found?.day?.weekdays) || isApart || isAsked) return undefined;
    // In "except Friday, Monday only after 2" Monday begins anew, and "instead of Thursday, Friday" names one source.
    const isAnew = found && word(found.next) === 'only' && elementAt(found.next + 1, '') !== undefined;
    const isLimit = /^(?:after|from|before|until)$/.test((found?.clock && found.bound) ?? '');
    const isOtherLimit = isLimit && own.some(({ clock }) => clock && !clock.isPoint);
    const isExcepted = excluded === 'P' || (excluded !== '' && next > first);
    const isTurn = isAnew || isExcepted || word(next) === 'say' || isOther(j + 1) || isOtherLimit;
    return kind === ',' && isTurn ? undefined : { kind, next };
  }
}
