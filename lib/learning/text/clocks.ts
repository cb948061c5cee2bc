import type { Calendar } from './calendar.ts';
import { AMOUNT, amountOf, type Bound, type Found, type Mention, type Reader, words } from './mentions.ts';

const NOON = 12 * 60;
const HALF = '(am|pm|oclock|h|in the (?:morning|afternoon|evening))';
/** An hour that cannot be anything but a time of day. */
const TIME = `(\\d{1,2})(?:[:.](\\d\\d)| h (\\d\\d))?(?: ?${HALF})?`;
const CERTAIN = `(?:(\\d{1,2})[:.](\\d\\d)(?: ?${HALF})?|(\\d{1,2}) h (\\d\\d)|(\\d{1,2}) ?${HALF})`;
const HOUR_NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const HOUR = `(\\d{1,2}|${HOUR_NAMES.join('|')})`;
const NO_UNIT =
  '(?! (?:am|pm|h|oclock|st|nd|rd|th|days?|weeks?|months?|hours?|minutes|people|of|%|more|other|/|january|february|march|april|may|june|july|august|september|october|november|december))';

/** Minutes since midnight; a bare hour is one that people meet at: from 7 in the morning to 6 in the evening. */
function minuteOf(calendar: Calendar, hour: number, minute = 0, half = ''): number | undefined {
  if (hour > 24 || minute > 59) return undefined;
  const isEvening = calendar.oldMinute >= 18 * 60;
  const isAfternoon = half === 'pm' || /afternoon|evening/.test(half);
  const isBare = half === '' || half === 'oclock';
  if (isAfternoon || (isBare && hour < (isEvening ? 12 : 7) && hour > 0)) return ((hour % 12) + 12) * 60 + minute;
  const isMorning = half === 'am' || /morning/.test(half);
  return (isMorning && hour === 12 ? 0 : hour) * 60 + minute;
}

const hourOf = (text = '') => (/^\d/.test(text) ? Number(text) : HOUR_NAMES.indexOf(text) + 1);

function point(minute: number | undefined, bound?: Bound): Found | undefined {
  if (minute === undefined) return undefined;
  return { mention: { kind: 'clock', from: minute, to: minute, isPoint: true }, ...(bound && { bound }) };
}

function span(from: number | undefined, to: number | undefined): Found | undefined {
  if (from === undefined || to === undefined || from >= to) return undefined;
  return { mention: { kind: 'clock', from, to, isPoint: false } };
}

/** Two ends of a span share the half of the day that only the second one names. */
function spanOf(calendar: Calendar, a: (string | undefined)[], b: (string | undefined)[]): Found | undefined {
  const read = ([hour, minute, minuteH, half]: (string | undefined)[], shared?: string) =>
    minuteOf(calendar, Number(hour), Number(minute ?? minuteH ?? 0), half ?? shared);
  const to = read(b);
  const shared = read(a, a[3] ?? b[3]);
  return span(shared, to) ?? span(read(a), to) ?? span(minuteOf(calendar, Number(a[0]), 0, 'am'), to);
}

const PARTS: Record<string, [from: number, to: number]> = {
  morning: [0, NOON],
  afternoon: [NOON, 17 * 60],
  evening: [17 * 60, 24 * 60],
  night: [17 * 60, 24 * 60],
  lunch: [NOON, 13 * 60],
};

const bounds: Record<string, Bound> = {
  to: 'at',
  past: 'after',
  till: 'until',
  about: 'around',
  like: 'around',
  'starting at': 'from',
};
const boundOf = (word = '') => bounds[word] ?? (word as Bound);

/** Clock times, hours of the day, and how they compare with the time it had. */
export const CLOCK_READERS: Reader[] = [
  {
    pattern: words(`(?:between |from )${TIME} (?:-|and|to|until) ${TIME}${NO_UNIT}`),
    read: (match, calendar) => spanOf(calendar, match.slice(1, 5), match.slice(5, 9)),
  },
  {
    pattern: words(`${TIME} (?:-|to|until) ${TIME}${NO_UNIT}`),
    read: (match, calendar) => spanOf(calendar, match.slice(1, 5), match.slice(5, 9)),
  },
  {
    pattern: words(`(?:at )?(\\d{1,2}) or ${CERTAIN}`),
    read: ([, first, h1, m1, half1, h2, m2, h3, half3], calendar) => {
      const half = half1 ?? half3;
      const to = minuteOf(calendar, Number(h1 ?? h2 ?? h3), Number(m1 ?? m2 ?? 0), half);
      return span(minuteOf(calendar, Number(first), 0, half), to === undefined ? to : to + calendar.durationMinutes);
    },
  },
  {
    pattern: words(`half (?:past )?${HOUR}`),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour), 30)),
  },
  {
    pattern: words(`(?:a )?quarter (past|after|to) ${HOUR}(?: ?(am|pm))?`),
    read: ([, which, hour, half], calendar) => {
      const full = minuteOf(calendar, hourOf(hour), 0, half);
      return point(full === undefined ? undefined : full + (which === 'to' ? -15 : 15));
    },
  },
  {
    pattern: words(`any ?time (after|before|from) ${HOUR}${NO_UNIT}`),
    read: ([, bound, hour], calendar) => point(minuteOf(calendar, hourOf(hour)), boundOf(bound)),
  },
  {
    // "Push it 1h", which is no one o'clock.
    pattern: words('(?<=(?:push|bump|delay|shift|postpone|move|back|by|it|this) )([1-4]) h(?! \\d)'),
    read: ([, hours]) => ({ mention: { kind: 'amount', days: 0, minutes: Number(hours) * 60 } }),
  },
  {
    pattern: words(`(\\d{1,2}) or (\\d{1,2})(?= on [a-z]+day)`),
    read: ([, first, second], calendar) => {
      const last = minuteOf(calendar, Number(second));
      return span(minuteOf(calendar, Number(first)), last === undefined ? last : last + calendar.durationMinutes);
    },
  },
  {
    // A bare hour where nothing but an hour can stand; the one it has is no news.
    pattern: words(
      '(?<=(?:how about|what about|make it|maybe|could do|can do|prefer) )(\\d{1,2})(?= (?:[?.!,;]|my time|instead|please|(?:on )?[a-z]+day|tomorrow)|$)|(?<=^|[;.,!?] )(\\d{1,2})(?= (?:works|is (?:fine|good|okay|better|perfect)|would (?:work|be)))',
    ),
    read: ([, asked, said], calendar) => {
      const minute = minuteOf(calendar, Number(asked ?? said));
      return minute === calendar.oldMinute ? undefined : point(minute);
    },
  },
  {
    pattern: words('(?<=^|[;.,!?] )(\\d{1,2})(?= is (?:too|way|so|very|really) )'),
    read: ([, hour], calendar) => point(minuteOf(calendar, Number(hour))),
  },
  {
    pattern: words(
      '(?:in the )?(?<=(?:mon|tues?|weds?|thu(?:rs?)?|fri|day|days|tomorrow|\\d(?:st|nd|rd|th)|in the) )(am|pm)',
    ),
    read: ([, half]) => (half === 'am' ? span(0, NOON) : span(NOON, 24 * 60)),
  },
  {
    pattern: words(CERTAIN),
    read: ([, h1, m1, half1, h2, m2, h3, half3], calendar) =>
      point(minuteOf(calendar, Number(h1 ?? h2 ?? h3), Number(m1 ?? m2 ?? 0), half1 ?? half3)),
  },
  {
    pattern: words(
      `((?<=(?:it|this|that|call|meeting|push|move) )to|at|after|before|until|by|from|past|around|about|like|starting at) ${HOUR}(?: (?:sharp|ish))?${NO_UNIT}`,
    ),
    read: ([, bound, hour], calendar) =>
      Number(hourOf(hour)) > 23 ? undefined : point(minuteOf(calendar, hourOf(hour)), boundOf(bound)),
  },
  {
    pattern: words(`(?:at |around )?(\\d{1,2}) ish`),
    read: ([, hour], calendar) => point(minuteOf(calendar, Number(hour)), 'around'),
  },
  { pattern: words('noon|midday'), read: () => point(NOON) },
  { pattern: words('after work(?! hours)'), read: () => span(17 * 60, 24 * 60) },
  { pattern: words('first thing(?: in the (?:morning|day))?'), read: () => span(0, 10 * 60) },
  {
    pattern: words('(?:towards? )?(?:the )?end of (?:the |my |our )?(?:business |working )?day|eod'),
    read: () => span(16 * 60, 24 * 60),
  },
  { pattern: words('early (?:in the )?afternoons?'), read: () => span(NOON, 15 * 60) },
  { pattern: words('(?:late|later) (?:in the )?afternoons?'), read: () => span(15 * 60, 18 * 60) },
  { pattern: words('(?:late|later in the|mid(?: -)?) mornings?'), read: () => span(10 * 60, NOON) },
  { pattern: words('early (?:evenings?)'), read: () => span(17 * 60, 19 * 60) },
  { pattern: words('late (?:evenings?|meetings?|calls?|slots?|times?|hours?)'), read: () => span(18 * 60, 24 * 60) },
  {
    pattern: words('(?:early|earlier) (?:in the )?mornings?|early (?:meetings?|calls?|starts?|slots?|times?|hours?)'),
    read: () => span(0, 9 * 60),
  },
  {
    pattern: words(
      '(?:in the |the |an? |my |our |your |over )?(morning|afternoon|evening|lunch|night)(?: time|s|time| break| hour| person| people)*',
    ),
    read: ([, part = '']) => {
      const [from, to] = PARTS[part] ?? [0, 0];
      return span(from, to);
    },
  },
  { pattern: words('(?:the )?same (?:time|hour)'), read: () => ({ mention: { kind: 'same_time' } }) },
  {
    pattern: words(`(?:by )?(${AMOUNT})(?: or (?:so|two))? (hours?|minutes)(?: or so)? (later|earlier|sooner)`),
    read: ([, amount = '', unit = '', to]) => relative(to, amountOf(amount) * (unit === 'minutes' ? 1 : 60)),
  },
  {
    pattern: words(`(?:by |back )?(${AMOUNT})(?: an)? (hours?|minutes)`),
    read: ([, amount = '', unit = '']) => ({
      mention: { kind: 'amount', days: 0, minutes: amountOf(amount) * (unit === 'minutes' ? 1 : 60) },
    }),
  },
  {
    pattern: words(
      '(?:(?:just )?(?:a )?(?:little|bit|tiny bit|touch|slightly|tad)(?: bit)?|slightly) (later|earlier)(?: time| slot| start)?',
    ),
    read: ([, to]) => ({ mention: { ...relative(to, 60).mention, isLoose: true } }),
  },
  {
    pattern: words(
      '(?:much |any |some ?what |even |the |an? )?(later|earlier)(?: (?:time|slot|start|hour)s?)?(?: (?:on )?in the (?:day|morning|afternoon|evening))?(?! date)',
    ),
    read: ([, to]) => relative(to),
  },
  {
    pattern: words(
      '(?:the sooner the better|as (?:soon|early) as (?:possible|you can|we can)|asap|right away|(?:at )?(?:the |your |our )?(?:earliest|soonest) (?:possible|convenience|opportunity)(?: time)?)',
    ),
    read: () => ({ mention: { kind: 'soonest' } }),
  },
  { pattern: words('(?:any )?sooner'), read: () => ({ mention: { kind: 'sooner' } }) },
];

function relative(to: string | undefined, minutes?: number): { mention: Mention & { kind: 'relative' } } {
  return { mention: { kind: 'relative', to: to === 'later' ? 'later' : 'earlier', ...(minutes && { minutes }) } };
}
