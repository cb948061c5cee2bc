import { jsx } from 'hono/jsx';
import { describe, expect, test } from 'vitest';
import { Week } from '../../../functions/pages/week/week.tsx';
import { sayBands, sayClockChange, sayStretch, type WeekMark } from '../../../functions/pages/week/words.ts';
import {
  clockChanges,
  type LocalDay,
  localWeek,
  personBands,
  withoutPast,
} from '../../../lib/engine/explain/week-bands.ts';
import { DEFAULT_WORK_HOURS } from '../../../lib/engine/rules/defaults.ts';
import { parseDate } from '../../../lib/engine/time/dates.ts';
import type { SearchedPerson } from '../../../lib/engine/types.ts';

const ada: SearchedPerson = {
  email: 'ada@example.com',
  timeZone: 'America/New_York',
  workHours: DEFAULT_WORK_HOURS,
  focusBlocks: [{ day: 'monday', start: '09:00', end: '11:00', reason: 'secret plan' }],
  bufferMinutes: 0,
  maxMeetingsPerDay: 10,
  busy: [{ start: Date.parse('2026-05-04T17:00Z'), end: Date.parse('2026-05-04T18:30Z') }],
  meetings: [],
};
const weekOf = (zone: string, date: string) => localWeek(zone, parseDate(date) ?? 0);
const dayOf = (zone: string, date: string) => weekOf(zone, date)[0] as LocalDay;
const draw = (props: Parameters<typeof Week>[0]) => String(jsx(Week, props));

describe('the words of a day', () => {
  test.each([
    ['Europe/Berlin', '2026-05-04T07:00Z', '2026-05-04T15:30Z', '9:00–17:30'],
    ['Europe/Berlin', '2026-05-04T20:00Z', '2026-05-04T22:00Z', '22:00–24:00'],
    ['Europe/Berlin', '2026-05-04T20:00Z', '2026-05-05T00:30Z', '22:00–Tue 2:30'],
    ['Asia/Tokyo', '2026-05-04T23:00Z', '2026-05-05T01:00Z', 'Tue 8:00–10:00'],
    ['Asia/Tokyo', '2026-05-04T23:00Z', '2026-05-05T15:00Z', 'Tue 8:00–24:00'],
    ['America/New_York', '2026-11-01T05:30Z', '2026-11-01T06:30Z', 'Sun 1:30 (-04:00)–1:30 (-05:00)'],
    ['America/New_York', '2026-03-08T06:30Z', '2026-03-08T07:30Z', 'Sun 1:30 (-05:00)–3:30 (-04:00)'],
  ])('in %s from %s to %s it is %s', (zone, start, end, words) => {
    expect(sayStretch(zone, { start: Date.parse(start), end: Date.parse(end) }, '2026-05-04')).toBe(words);
  });

  test('are its bands, kind by kind', () => {
    const week = weekOf('America/New_York', '2026-05-04');
    const said = personBands(ada, week).map((bands, i) => sayBands(bands, week[i] as LocalDay, ada.timeZone));
    expect(said[0]).toBe('Work hours 8:00–18:00. Focus time 9:00–11:00. Busy 13:00–14:30.');
    expect(said[5]).toBe('');
  });

  test.each([
    ['2026-03-08', 'In New York the clocks go forward: after 1:59 comes 3:00.'],
    ['2026-11-01', 'In New York the clocks go back: after 1:59 comes 1:00.'],
  ])('tell what the clocks do on %s', (date, sentence) => {
    const day = dayOf('America/New_York', date);
    const said = clockChanges('America/New_York', day).map((change) => sayClockChange(change, day, 'America/New_York'));
    expect(said).toEqual([sentence]);
  });
});

describe('the drawing of a week', () => {
  const days = weekOf('America/New_York', '2026-05-04');
  const lanes = [{ name: 'ada', timeZone: ada.timeZone, bands: personBands(ada, days), ruler: 'above' as const }];

  test('has no script and no style attribute, a title and words for each day, and no text of a calendar', () => {
    const html = draw({ days, lanes });
    expect(html).not.toMatch(/<script|\sstyle=|\son\w+=|secret/);
    expect(html.match(/role="img"/g)).toHaveLength(5);
    expect(html.match(/<title id="week-day-\d">/g)).toHaveLength(5);
    expect(html).toContain('ada: Work hours 8:00–18:00. Focus time 9:00–11:00. Busy 13:00–14:30.</desc>');
    expect(html).toContain('<caption>ada: clock in New York.</caption>');
    expect(html).toContain('<td data-label="ada">Work hours 8:00–18:00. Focus time');
    expect(html).toContain('No work hours.');
  });

  test('draws a rule in the person’s own words over the work hours, and busy times over the rule', () => {
    const bands = days.map(() => [
      { kind: 'never' as const, from: 480, to: 1080, name: 'not on Mondays' },
      { kind: 'busy' as const, from: 600, to: 660 },
      { kind: 'prefer' as const, from: 480, to: 720, name: 'mornings' },
      { kind: 'rather_not' as const, from: 480, to: 540, name: 'not too early' },
      { kind: 'work' as const, from: 480, to: 1080 },
    ]);
    const [, day = ''] = draw({ days, lanes: [{ name: 'ada', timeZone: ada.timeZone, bands }] }).split(
      'class="ground"',
    );
    const drawn = [...day.matchAll(/class="band (\w+)"/g)].map(([, kind]) => kind);
    expect(drawn).toEqual(['work', 'prefer', 'rather_not', 'never', 'busy']);
  });

  test('is as wide as the longest day', () => {
    const long = weekOf('America/New_York', '2026-10-26');
    const always = { ...ada, busy: [{ start: long[0]?.start ?? 0, end: long[6]?.end ?? 0 }] };
    const html = draw({
      days: long,
      lanes: [{ ...lanes[0], name: 'ada', timeZone: 'UTC', bands: personBands(always, long) }],
    });
    const widths = [...html.matchAll(/class="ground"[^>]* width="([\d.]+)%"/g)].map(([, width]) => Number(width));
    expect(widths).toEqual([96, 96, 96, 96, 96, 96, 100]);
  });

  test('puts signs that would cover each other side by side, inside the drawing', () => {
    const against = ['A', 'B', 'C'].map(
      (sign): WeekMark => ({ day: 0, from: 1425, to: 1440, kind: 'against', lane: 0, sign, title: sign }),
    );
    const html = draw({ days, lanes, marks: against });
    const shifts = [...html.matchAll(/translate\((-?[\d.]+) 0\)/g)].map(([, shift]) => Number(shift));
    const [a = 0, b = 0, c = 0] = shifts;
    expect(shifts).toHaveLength(3);
    expect([b - a >= 18, c - b >= 18, c < 0]).toEqual([true, true, true]);
  });

  test('puts the numbers of offered times below them, where they hide nothing', () => {
    const pick: WeekMark = { day: 0, from: 600, to: 630, kind: 'pick', lane: 0, sign: '1', title: 'Offered' };
    const html = draw({ days, lanes, marks: [pick] });
    const [, top, height] = /class="span pick"[^>]* y="(\d+)" height="(\d+)"/.exec(html) ?? [];
    const [, middle] = /<svg class="sign" [^>]*y="(\d+)"/.exec(html) ?? [];
    expect(Number(middle) - 9).toBeGreaterThanOrEqual(Number(top) + Number(height));
  });

  test('shows the days at the start that have passed in one row, unless one of them has a mark', () => {
    const past = withoutPast(personBands(ada, days), days, Date.parse('2026-05-07T12:00Z'));
    const drawn = { days, lanes: [{ name: 'ada', timeZone: ada.timeZone, bands: past }] };
    const html = draw(drawn);
    expect(html).toContain('<h3>Mon to Wed<span> 4 to 6 May</span></h3>');
    expect(html.match(/<h3>/g)).toHaveLength(5);
    const marked = draw({ ...drawn, marks: [{ day: 0, from: 0, to: 30, kind: 'asked', sign: '', title: 'asked' }] });
    expect(marked.match(/<h3>/g)).toHaveLength(7);
  });

  test('says of a date that a zone left out that there is none', () => {
    const days = weekOf('Pacific/Apia', '2011-12-26');
    expect(draw({ days, lanes: [{ name: 'ada', timeZone: 'Pacific/Apia', bands: days.map(() => []) }] })).toContain(
      'This date does not exist in Apia.',
    );
  });

  test('names what only is there, and a typical week by its weekdays', () => {
    const html = draw({ days, lanes, isTypical: true });
    expect(html).toContain('<h3>Monday</h3>');
    expect(html).toContain('</svg>Focus time</li>');
    expect(html).not.toContain('Free for both');
  });
});
