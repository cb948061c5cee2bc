import type { Scene } from './said.ts';

/** Words whose meaning hangs on the calendar: month and year ends, leap days, clocks that change, the other side of the date line. */
export const CALENDARS: Scene[] = [
  {
    // The clocks go back on Sunday the 25th.
    zone: 'Europe/Berlin',
    now: '2026-10-22 09:00',
    old: '2026-10-23 10:00',
    rows: [
      ['a week later please', { dates: ['2026-10-30'], near: '2026-10-30 10:00' }],
      ['can we do Monday?', { dates: ['2026-10-26'], near: '2026-10-26 10:00' }],
      ['two days later', { dates: ['2026-10-25'], near: '2026-10-25 10:00' }],
      ['after the weekend', { earliest: '2026-10-26', near: '2026-10-26 10:00' }],
      ['not before Sunday', { earliest: '2026-10-25' }],
      ['Thursday instead', { dates: ['2026-10-29'] }],
    ],
  },
  {
    // The clocks go forward on Sunday the 8th.
    zone: 'America/New_York',
    now: '2026-03-05 09:00',
    old: '2026-03-06 15:00',
    rows: [
      ['a week later', { dates: ['2026-03-13'], near: '2026-03-13 15:00' }],
      ['three days later please', { dates: ['2026-03-09'], near: '2026-03-09 15:00' }],
      ['early next week', { dates: ['2026-03-09', '2026-03-10'] }],
      ['any time after Sunday', { earliest: '2026-03-09' }],
    ],
  },
  {
    zone: 'Europe/Paris',
    now: '2026-11-30 09:00',
    old: '2026-11-30 15:00',
    rows: [
      ['tomorrow', { dates: ['2026-12-01'] }],
      ['a week later', { dates: ['2026-12-07'] }],
      ['after the 3rd', { earliest: '2026-12-04' }],
      ['the 31st', { dates: ['2026-12-31'] }],
      ['on the 1st please', { dates: ['2026-12-01'] }],
      ['Wednesday instead', { dates: ['2026-12-02'] }],
    ],
  },
  {
    zone: 'Asia/Kolkata',
    now: '2027-01-31 12:00',
    old: '2027-02-01 11:00',
    rows: [
      ['the 30th', { dates: ['2027-03-30'] }],
      ['end of the month', { dates: ['2027-02-25..2027-02-28'] }],
    ],
  },
  {
    zone: 'Europe/London',
    now: '2028-02-25 09:00',
    old: '2028-02-28 09:00',
    rows: [
      ['a day later', { dates: ['2028-02-29'] }],
      ['two days later', { dates: ['2028-03-01'] }],
      ['the 29th would be great', { dates: ['2028-02-29'] }],
    ],
  },
  {
    zone: 'America/Chicago',
    now: '2026-12-29 09:00',
    old: '2026-12-30 11:00',
    rows: [
      ['next week', { dates: ['2027-01-04..2027-01-10'], near: '2027-01-06 11:00' }],
      ['Friday', { dates: ['2027-01-01'] }],
      ['a week later', { dates: ['2027-01-06'] }],
      ['January 5 please', { dates: ['2027-01-05'] }],
      ['after the 2nd', { earliest: '2027-01-03' }],
      ['after new year', { earliest: '2027-01-02' }],
      ['in January', { earliest: '2027-01-01', latest: '2027-02-01' }],
    ],
  },
  {
    // In UTC it is Tuesday already.
    zone: 'America/Los_Angeles',
    now: '2026-12-07 20:00',
    old: '2026-12-09 16:30',
    rows: [
      ['tomorrow instead', { dates: ['2026-12-08'], sooner: true }],
      ['the same day, after 3pm', { dates: ['2026-12-09'], from: '15:00' }],
    ],
  },
  {
    // In UTC it is Monday still.
    zone: 'Pacific/Auckland',
    now: '2026-12-08 08:00',
    old: '2026-12-09 09:00',
    rows: [
      ['today?', { dates: ['2026-12-08'], sooner: true }],
      ['Thursday', { dates: ['2026-12-10'] }],
    ],
  },
  {
    // Two weeks before the meeting.
    zone: 'Europe/Berlin',
    now: '2026-11-20 09:00',
    old: '2026-12-03 10:00',
    rows: [
      ['my flight was moved', {}],
      ['could we do it tomorrow', { dates: ['2026-11-21'], sooner: true }],
      ['next week please', { dates: ['2026-11-23..2026-11-29'], sooner: true }],
      ['Friday instead', { dates: ['2026-12-04'] }],
      ['Wednesday instead', { dates: ['2026-12-02'], sooner: true }],
      ['after the 7th', { earliest: '2026-12-08' }],
      ['before the 1st', { latest: '2026-12-01', sooner: true }],
      ['before December', { latest: '2026-12-01', sooner: true }],
    ],
  },
  {
    // The meeting lies in next week already.
    zone: 'Europe/Berlin',
    now: '2026-12-03 09:00',
    old: '2026-12-08 10:00',
    rows: [
      ['can we push it to next week', { dates: ['2026-12-14..2026-12-20'] }],
      ['later next week', { dates: ['2026-12-09..2026-12-13'] }],
      ['next Tuesday', { dates: ['2026-12-15'] }],
      ['this week', { dates: ['2026-12-03..2026-12-06'], sooner: true }],
      ['Thursday', { dates: ['2026-12-10'] }],
    ],
  },
];
