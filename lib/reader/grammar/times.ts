import { DAY_MINUTES, mondayOf } from '../../engine/time/dates.ts';
import type { Calendar } from '../calendar.ts';
import { elementsOf } from './elements.ts';
import { phrasesOf, skip, type Word } from './lexicon.ts';
import { type Element, type Place, placesOf } from './places.ts';
import { type Told, twinAt } from './weeks.ts';

export interface Times {
  next: number;
  places: Place[];
  /** The days and hours of which the places were made, one list for each of them. */
  segments: Element[][];
  joint: 'and' | 'or' | ',' | '';
  isPast: boolean;
  isUnclear: boolean;
  isAfter?: boolean;
  /** True if the days or the hours stand before the words that they belong to. */
  isFronted?: boolean;
  /** The places in the text at which its commas stand. */
  commas: number[];
  /** The day on which hours without a day lie. */
  toldDay: number;
}

const AFTER_THAT = phrasesOf(
  'any time after that|straight after that|straight after|right after that|right after|just after that|post that|after that|after then|afterwards|after it|after this',
);
const WHOLE_DAY = phrasesOf('whenever|anytime|any time|all day|any hour');
const AFTER_IT = phrasesOf('any time after|anytime after');
const PADDING =
  /^(?:maybe|perhaps|even|possibly|alternatively|either|else|also|again|then|failing|otherwise|ideally|preferably)$/;

/** `isLoose` reads "make it 4". An exception (`excluded`) does not take what follows its comma. */
export function timesAt(word: Word, at: number, calendar: Calendar, told: Told, isLoose: boolean, excluded = '') {
  // "The day after" follows the day before it in the list.
  const here = { ...told };
  const elementAt = elementsOf(word, calendar, here, isLoose);
  const segments: Element[][] = [[]];
  const commas: number[] = [];
  const joints: string[] = [];
  let joint: Times['joint'] = '';
  let isPast = false;
  let isUnclear = false;
  let next = at;
  let i = at;
  let last: 'day' | 'clock' | '' = '';
  while (true) {
    const found = elementAt(i, last);
    if (found === undefined) break;
    segments.at(-1)?.push(found);
    const { first, last: end } = found.day?.span ?? {};
    if (first !== undefined && first === end && !twinAt(word, found.next + 1)) here.day = first;
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
  if (next === at) return afterThat();
  const places = isPast || isUnclear ? [] : placesOf(segments, excluded === '' ? joints : []);
  if (places === undefined) return { ...run(next, []), isUnclear: true };
  const read = run(next, places);
  for (const { dates } of places) {
    const day = dates?.[0]?.first ?? dates?.[0]?.last;
    if (day === undefined) continue;
    if (dates?.[0]?.first === dates?.[0]?.last) told.day = day;
    told.week = mondayOf(day);
  }
  told.last = places.at(-1) ?? told.last;
  return read;

  function afterThat(): Times | undefined {
    const length = AFTER_THAT(word, at) || AFTER_IT(word, at);
    const isWhole = AFTER_THAT(word, at) > 0 || /^(?:|[.,;!?)]|is|works?|would)$/.test(word(at + length));
    if (length === 0 || !isWhole || told.last === undefined) return undefined;
    const { dates, clock } = told.last;
    const end = dates?.at(-1)?.last;
    const from = clock ? (clock.to > clock.from ? clock.to : clock.from + 60) : DAY_MINUTES;
    const hours = from < DAY_MINUTES - 60 ? { ...(dates && { dates }), clock: { from, to: DAY_MINUTES } } : undefined;
    const after: Place | undefined = clock || end === undefined ? hours : { dates: [{ first: end + 1 }] };
    return { ...run(at + length, after ? [after] : []), isAfter: true, isUnclear: after === undefined };
  }

  function run(end: number, places: Place[]): Times {
    return { next: end, places, segments, joint, commas, toldDay: told.day, isPast, isUnclear };
  }

  /** Returns true if a comma between a day and hours only separates them: "Thursday, 10am". */
  function isOther(j: number): boolean {
    const own = segments.at(-1) ?? [];
    const found = elementAt(j, '');
    if (found === undefined || own.length !== 1) return false;
    // "After the 10th, in the afternoon" is no deadline.
    const isDeadline = own[0]?.bound !== '' && found.clock?.isPoint === false;
    return own[0]?.clock === undefined ? found.clock !== undefined && !isDeadline : found.day !== undefined;
  }

  function conjunctionAt(j: number): { kind: 'and' | 'or' | ','; next: number } | undefined {
    let k = j;
    let kind: 'and' | 'or' | ',' | undefined;
    if (word(k) === ',') {
      kind = ',';
      k += 1;
    }
    if (/^(?:and|&|\+|\/|or|nor|plus)$/.test(word(k))) {
      kind = /^(?:or|nor)$/.test(word(k)) ? 'or' : 'and';
      k += 1;
    }
    const after = kind === undefined ? k : skip(word, k, PADDING);
    // "In the evening, say 18 to 20" names the hours anew, and "not Tuesday, maybe Wednesday" turns.
    // "Until 5, and on Thursdays I leave at 3" begins anew.
    const found = kind === undefined ? undefined : elementAt(after, '');
    if (
      found?.day?.weekdays &&
      /^(?:i|im|ive|we|no|not)$/.test(word(found.next)) &&
      segments.at(-1)?.some(({ clock }) => clock)
    )
      return undefined;
    const isTurn = word(after) === 'say' || (excluded !== '' && after > k) || isOther(j + 1) || isLimit(after);
    if (kind === ',' && (isTurn || (excluded === 'e' && !isAlike(after)))) return undefined;
    return kind && { kind, next: after };
  }

  /** Returns true for a limit of the hours before it: "in the evening, after 7". */
  function isLimit(j: number): boolean {
    const { clock, bound = '' } = elementAt(j, '') ?? {};
    return (
      /^(?:after|from|before|until)$/.test(bound) &&
      !!clock &&
      !!segments.at(-1)?.some((one) => one.clock && !one.clock.isPoint)
    );
  }

  function isAlike(j: number): boolean {
    const hasDay = segments.at(-1)?.some(({ day }) => day) ?? false;
    return (elementAt(j, '')?.day !== undefined) === hasDay;
  }
}
