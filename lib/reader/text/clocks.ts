import type { Calendar } from './calendar.ts';
import { boundOf, HOUR, hourOf, minuteOf, NO_UNIT } from './hours.ts';
import { type Found, NOON, NUMBER_NAMES, point, type Reader, span, words } from './mentions.ts';

const HALF = '(am|pm|oclock|h|in the (?:morning|afternoon|evening))';
/**
 * A pattern for a time of day that also matches a bare hour, such as "3". `CERTAIN` matches only text that must be a
 * time of day, such as "3pm".
 */
const TIME = `(\\d{1,2})(?:[:.](\\d\\d)| h (\\d\\d))?(?: ?${HALF})?`;
const CERTAIN = `(?:(\\d{1,2})[:.](\\d\\d)(?: ?${HALF})?|(\\d{1,2}) h (\\d\\d)|(\\d{1,2}) ?${HALF})`;
/** Longest gap in minutes between two hours that are read as one span: "3 or 4pm" allows both starts. */
const MOST_BETWEEN_HOURS = 60;
/** Words and marks that may follow a bare hour, as "works" follows 3 in "3 works". */
const AFTER_HOUR =
  '(?:[?.!,;:)—]|on|that|the same|both|would|works?|is|are|please|instead|if|of|for|will|could|suits?|mon|tue|wed|thu|fri|tomorrow|today|same|either|whichever|would)';
const FEW: Record<string, number> = {
  five: 5,
  ten: 10,
  twenty: 20,
  'twenty five': 25,
  '5': 5,
  '10': 10,
  '20': 20,
  '25': 25,
};

/**
 * Reads the first of two hours that may share "am" or "pm": "2 or 5 pm" are both in the afternoon, "9 or 4 pm" are not.
 */
function nearOther(calendar: Calendar, hour: number, half?: string): number | undefined {
  const shared = hour >= 8 && hour < 12 ? undefined : half;
  return minuteOf(calendar, hour, 0, shared);
}

const PAST: Record<string, number> = { half: 30, 'half past': 30, 'quarter past': 15, 'quarter to': -15 };

/** Converts an hour in words, such as "half past nine", to minutes since midnight. */
function saidMinute(calendar: Calendar, before = '', hour = '', half = ''): number | undefined {
  const full = minuteOf(calendar, hourOf(hour), 0, half);
  return full === undefined ? undefined : full + (PAST[before.trim()] ?? 0);
}

/** Reads a span of clock times, such as "2 to 4pm". If only the second time says am or pm, the first time shares it. */
function spanOf(calendar: Calendar, a: (string | undefined)[], b: (string | undefined)[]): Found | undefined {
  const read = ([hour, minute, minuteH, half]: (string | undefined)[], shared?: string) =>
    minuteOf(calendar, Number(hour), Number(minute ?? minuteH ?? 0), half ?? shared);
  const to = read(b);
  const shared = read(a, a[3] ?? b[3]);
  // "5-7" and "2-10" end in the evening.
  const isBare = b[3] === undefined && to !== undefined && to < NOON;
  const evening = isBare ? span(read(a), to + NOON) : undefined;
  return span(shared, to) ?? span(read(a), to) ?? evening ?? span(minuteOf(calendar, Number(a[0]), 0, 'am'), to);
}

/** The patterns, with their readers, that find clock times in figures or words: "3pm", "half past nine", "2 to 4". */
export const CLOCK_READERS: Reader[] = [
  {
    // "Move it from 3 to 4" names the old time and the new one.
    pattern: words(
      `(?<=\\b(?:move|shift|change|push|bring|switch|reschedule)\\b[^.?!;,]{0,30} (?:from )?)(?:from )?${TIME} to ${TIME}${NO_UNIT}`,
    ),
    read: (match, calendar) => {
      const found = spanOf(calendar, match.slice(1, 5), match.slice(5, 9));
      if (found?.mention.kind !== 'clock' || found.mention.from !== calendar.oldMinute) return undefined;
      return point(found.mention.to);
    },
  },
  {
    pattern: words(
      `(?:between |from )(half past |half |quarter past |quarter to )?${HOUR} (?:and|to|until|-) (half past |half |quarter past |quarter to )?${HOUR}(?: ?(am|pm|in the (?:morning|afternoon|evening)))?${NO_UNIT}`,
    ),
    read: ([, before, hour, later, end, half], calendar) => {
      const from = saidMinute(calendar, before, hour, half);
      return (
        span(from, saidMinute(calendar, later, end, half)) ??
        span(saidMinute(calendar, before, hour), saidMinute(calendar, later, end, half))
      );
    },
  },
  {
    pattern: words(`(?:between |from )${TIME} (?:-|and|to|until) ${TIME}${NO_UNIT}`),
    read: (match, calendar) => spanOf(calendar, match.slice(1, 5), match.slice(5, 9)),
  },
  {
    pattern: words(
      `(?:from |between )?(half|quarter past) (?:past )?${HOUR} (?:-|to|until|and) (half past |half |quarter past |quarter to )?${HOUR}(?: ?(am|pm|in the (?:morning|afternoon|evening)))?${NO_UNIT}`,
    ),
    read: ([, before, hour, later, end, half], calendar) =>
      span(saidMinute(calendar, before, hour), saidMinute(calendar, later, end, half)) ??
      span(saidMinute(calendar, before, hour, half), saidMinute(calendar, later, end, half)),
  },
  {
    pattern: words(`${HOUR} (?:-|to|until) (half|quarter past|quarter to) (?:past )?${HOUR}(?: ?(am|pm))?${NO_UNIT}`),
    read: ([, hour, later, end, half], calendar) =>
      span(saidMinute(calendar, '', hour, half), saidMinute(calendar, later, end, half)) ??
      span(saidMinute(calendar, '', hour), saidMinute(calendar, later, end, half)),
  },
  {
    pattern: words(`${TIME} (?:-|to|until) ${TIME}${NO_UNIT}`),
    read: (match, calendar) => spanOf(calendar, match.slice(1, 5), match.slice(5, 9)),
  },
  {
    pattern: words(`(?:at |either )?(\\d{1,2}) or ${CERTAIN}`),
    read: ([, first, h1, m1, half1, h2, m2, h3, half3], calendar) => {
      const half = half1 ?? half3;
      const to = minuteOf(calendar, Number(h1 ?? h2 ?? h3), Number(m1 ?? m2 ?? 0), half);
      const from = minuteOf(calendar, Number(first), 0, half);
      if (from === undefined || to === undefined || to - from > MOST_BETWEEN_HOURS) return undefined;
      return span(minuteOf(calendar, Number(first), 0, half), to === undefined ? to : to + calendar.durationMinutes);
    },
  },
  {
    // "9 or 4" and "11 or half 2" are two hours, not the hours between them.
    pattern: words(
      `(?:at |either |both |around )?${HOUR}(?: ?(?:oclock))?(?= (?:or|/|and) (?:at |about |around )?(?:\\d{1,2}|${NUMBER_NAMES.join('|')}|half \\w+)(?: ?(am|pm|oclock))?(?= ${AFTER_HOUR}|$))`,
    ),
    read: ([text, hour, half], calendar) =>
      /^(?:one|a)$/.test(text) ? undefined : point(nearOther(calendar, hourOf(hour), half)),
  },
  {
    pattern: words(
      `(?<=(?<!\\b(?:the|of|in|day|week|room|for|a) )\\b(?:\\d{1,2}|${NUMBER_NAMES.join('|')}) (?:or|/) )(?:at |about )?${HOUR}(?= ${AFTER_HOUR}|$)`,
    ),
    read: ([, hour], calendar) => point(minuteOf(calendar, hourOf(hour))),
  },
  {
    pattern: words(
      `(?<=^|(?:[;:.,!?(—]|or|and|so|then|maybe|about|say) )${HOUR}(?= on (?:the )?(?:mon|tue|wed|thu|fri|same|that|\\d))`,
    ),
    read: ([, hour], calendar) => (hour === 'one' ? undefined : point(minuteOf(calendar, hourOf(hour)))),
  },
  {
    pattern: words(
      `(?:at |around |about )?(${Object.keys(FEW).join('|')}) (?:minutes )?(past|to) ${HOUR}(?: ?(am|pm))?${NO_UNIT}`,
    ),
    read: ([, minutes = '', which, hour, half], calendar) => {
      const full = minuteOf(calendar, hourOf(hour), 0, half);
      const by = FEW[minutes] ?? 0;
      return by === 0 || full === undefined ? undefined : point(which === 'to' ? full - by : full + by);
    },
  },
  {
    // "Can we say quarter past" keeps the meeting's hour.
    pattern: words('(?:at )?(quarter|half|ten|twenty) past(?= (?:[.,;!?)]|please|instead|if|would|works?)|$)'),
    read: ([, part = ''], { oldMinute }) =>
      point(Math.floor(oldMinute / 60) * 60 + ({ quarter: 15, half: 30, ten: 10 }[part] ?? 20)),
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
    pattern: words(
      `any ?time (after|before|from) ${HOUR}${NO_UNIT}(?! (?:to|until|and|-) (?:\\d|half|quarter|noon|ten|eleven|twelve))`,
    ),
    read: ([, bound, hour], calendar) => point(minuteOf(calendar, hourOf(hour)), boundOf(bound)),
  },
  {
    // "Push it 1h" means by one hour, not to one o'clock.
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
    // A bare hour counts where only an hour can stand. The meeting's current hour is ignored, because it asks for no
    // change.
    pattern: words(
      '(?<=(?:how about|what about|make it|maybe|could do|can do|prefer) )(\\d{1,2})(?= (?:[?.!,;]|my time|instead|please|(?:on )?[a-z]+day|tomorrow)|$)',
    ),
    read: ([, asked], calendar) => {
      const minute = minuteOf(calendar, Number(asked));
      return minute === calendar.oldMinute ? undefined : point(minute);
    },
  },
  {
    // "3 is nap time, 4 would be fine": the subject of a clause.
    pattern: words(
      `(?<=^|[;.,!?(—] |[,;.] (?:but|and|so|or|though|then) |\\b(?:but|and|so|or|though) )${HOUR}(?= (?:is|works|does|do|suits|clashes|collides|conflicts|overlaps|(?:would|will|could|might|can) (?:not |also |only |actually )?(?:be|work|suit|do|fit))(?: |$))(?! is (?:enough|the (?:number|limit|max)|company|here|there|missing))`,
    ),
    read: ([, hour], calendar) => (hour === 'one' ? undefined : point(minuteOf(calendar, hourOf(hour)))),
  },
  {
    pattern: words(
      '(?:in the )?(?<=(?:mon|tues?|weds?|thu(?:rs?)?|fri|day|days|tomorrow|\\d ?(?:st|nd|rd|th)|in the) )(am|pm)',
    ),
    read: ([, half]) => (half === 'am' ? span(0, NOON) : span(NOON, 24 * 60)),
  },
  {
    pattern: words(CERTAIN),
    read: ([, h1, m1, half1, h2, m2, h3, half3], calendar) =>
      point(minuteOf(calendar, Number(h1 ?? h2 ?? h3), Number(m1 ?? m2 ?? 0), half1 ?? half3)),
  },
];
