import fc from 'fast-check';
import { DEFAULT_WORK_HOURS } from '../../../lib/engine/rules/defaults.ts';
import { DAY, formatMinute, MINUTE, WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type {
  FocusBlock,
  Holidays,
  Interval,
  RuleBlock,
  Search,
  SearchedPerson,
  StandingRule,
  WorkHours,
} from '../../../lib/engine/types.ts';
import { AROUND_THE_CLOCK, dates, everyDay } from './people.ts';

/**
 * Places and dates at which clocks do something unusual: gaps, repeated hours, half hours, changes at midnight, a date
 * that was skipped.
 */
const ANCHORS: [zone: string, date: string][] = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Pacific/Chatham', '2026-09-27'],
  ['Asia/Kathmandu', '2026-05-07'],
  ['Asia/Kolkata', '2026-05-08'],
  ['Asia/Beirut', '2026-03-29'],
  ['Asia/Beirut', '2026-10-25'],
  ['Africa/Cairo', '2026-04-24'],
  ['America/Santiago', '2026-09-06'],
  ['America/Havana', '2026-11-01'],
  ['America/Nuuk', '2026-10-25'],
  ['Antarctica/Troll', '2026-03-29'],
  ['America/St_Johns', '2010-11-07'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Kiritimati', '2026-01-01'],
  ['Pacific/Pago_Pago', '2026-01-01'],
];
const PARTNERS = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Pacific/Pago_Pago', 'Asia/Kathmandu'];

const hoursOfDay = fc
  .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 1440 }))
  .map(([start, length]) => ({ start: formatMinute(start), end: formatMinute(Math.min(1440, start + length)) }));

const workHours: fc.Arbitrary<WorkHours> = fc.oneof(
  fc.constantFrom(DEFAULT_WORK_HOURS, everyDay('00:30', '03:30'), everyDay('07:00', '20:00')),
  fc.constant(AROUND_THE_CLOCK),
  fc
    .tuple(
      fc.array(hoursOfDay, { minLength: 7, maxLength: 7 }),
      fc.oneof(fc.constant(127), fc.integer({ min: 0, max: 127 })),
    )
    .map(([hours, enabled]) => {
      const entries = WEEKDAYS.map((day, i) => [
        day,
        { start: '', end: '', ...hours[i], enabled: (enabled >> i) % 2 === 1 },
      ]);
      return Object.fromEntries(entries) as WorkHours;
    }),
);

const focusBlocks: fc.Arbitrary<FocusBlock[]> = fc.array(
  fc.tuple(fc.constantFrom(...WEEKDAYS), hoursOfDay).map(([day, hours]) => ({ day, ...hours })),
  { maxLength: 3 },
);

/** Most rules only order times, so that searches still find some. */
const VERDICTS: StandingRule['verdict'][] = [
  'never',
  ...Array<'rather_not'>(3).fill('rather_not'),
  ...Array<'prefer'>(3).fill('prefer'),
];

/** Blocks of each week, or of some dates around a day. */
const ruleBlocks = (around: number): fc.Arbitrary<RuleBlock[]> => {
  const day = fc.option(
    fc.integer({ min: -2, max: 3 }).map((offset) => around / DAY + offset),
    { nil: undefined },
  );
  const dates = fc.option(fc.record({ first: day, last: day }), { nil: undefined, freq: 3 });
  return fc.tuple(focusBlocks, dates).map(([blocks, on]) => blocks.map((block) => ({ ...block, dates: on })));
};

const standing = (around: number): fc.Arbitrary<StandingRule[]> =>
  fc
    .array(
      fc.record({
        verdict: fc.constantFrom(...VERDICTS),
        blocks: ruleBlocks(around).filter((blocks) => blocks.length > 0),
      }),
      { maxLength: 3 },
    )
    .map((rules) => rules.map((rule, i) => ({ ...rule, words: `rule ${i}` })));

function spans(around: number, most: number): fc.Arbitrary<Interval[]> {
  const unit = fc.constantFrom(15 * MINUTE, 5 * MINUTE, MINUTE, 1000);
  return fc.array(
    fc
      .tuple(fc.integer({ min: -3 * 1440, max: 5 * 1440 }), fc.integer({ min: 0, max: 600 }), unit)
      .map(([start, length, grain]) => {
        const from = Math.round((around + start * MINUTE) / grain) * grain;
        return { start: from, end: from + Math.round((length * MINUTE) / grain) * grain };
      }),
    { maxLength: most },
  );
}

function packed(list: Interval[]): Float64Array {
  return new Float64Array(list.flatMap(({ start, end }) => [start, end]));
}

const holidays = (around: number): fc.Arbitrary<Holidays> =>
  fc
    .array(fc.tuple(fc.integer({ min: -2, max: 4 }), fc.constantFrom('Hill Day', 'Sea Day')), { maxLength: 2 })
    .map((days) => new Map(days.map(([offset, name]) => [around / DAY + offset, name])));

function people(email: string, timeZone: string, around: number): fc.Arbitrary<SearchedPerson> {
  return fc.record({
    email: fc.constant(email),
    timeZone: fc.constant(timeZone),
    workHours,
    focusBlocks: fc.oneof(fc.constant<FocusBlock[]>([]), focusBlocks),
    standing: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: standing(around) }),
    bufferMinutes: fc.constantFrom(0, 15, 30),
    maxMeetingsPerDay: fc.constantFrom(1, 2, 3, 10),
    holidays: fc.option(holidays(around), { nil: undefined }),
    busy: fc.tuple(spans(around, 6), fc.boolean()).map(([list, isPacked]) => (isPacked ? packed(list) : list)),
    meetings: spans(around, 4),
  });
}

/** Returns a search for random people with random rules and calendars, around a date on which some clock changes. */
export const randomSearch: fc.Arbitrary<Search> = fc
  .tuple(fc.constantFrom(...ANCHORS), fc.constantFrom(...PARTNERS), fc.boolean())
  .chain(([[zone, date], partner, isFirst]) => {
    const around = Date.parse(`${date}T00:00:00Z`);
    const day = (offset: number) => new Date(around + offset * DAY).toISOString().slice(0, 10);
    return fc.record({
      requester: people('ada@example.com', isFirst ? zone : partner, around),
      other: people('bob@example.com', isFirst ? partner : zone, around),
      durationMinutes: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(15, 30, 45, 60, 120) },
        { weight: 1, arbitrary: fc.integer({ min: 5, max: 720 }) },
      ),
      window: fc
        .tuple(fc.integer({ min: -1, max: 1 }), fc.integer({ min: 0, max: 2 }))
        .map(([first, more]) => dates(day(first), day(first + more))),
      now: fc.integer({ min: -5 * 86_400, max: 2 * 86_400 }).map((seconds) => around + seconds * 1000),
    });
  });

/** A search of two people who also have a meeting with each other. */
export const randomSearchOfMet: fc.Arbitrary<Search> = fc.tuple(randomSearch, fc.nat(240)).map(([search, minutes]) => {
  const start = Date.parse(`${search.window.start}T08:00Z`) + minutes * MINUTE;
  const met = { start, end: start + 30 * MINUTE, takenBy: 'meet_both' };
  const meeting = (person: SearchedPerson) => ({ ...person, meetings: [...person.meetings, met] });
  return { ...search, requester: meeting(search.requester), other: meeting(search.other) };
});
