import { ada, bob, NEW_YORK, type Story, TOKYO } from './story.ts';

const MONDAY = '2030-01-07T07:00:20Z';

/** Somebody looks for times, or names one that must be free. */
export const SEARCHES: Story[] = [
  {
    title: 'Five choices rather than one morning',
    now: MONDAY,
    people: [ada(), bob()],
    asks: { search: {} },
    chosen: 'Mon 7 Jan 10:00, Tue 8 Jan 10:00, Wed 9 Jan 10:00, Mon 7 Jan 10:30, Tue 8 Jan 10:30',
    said: 'Mid-morning within the next three days, when both are free.',
  },
  {
    title: 'Free from 10:20 to 10:50, and at no other time',
    now: MONDAY,
    people: [
      ada({ busy: [['2030-01-08T00:00:00+01:00', '2030-01-08T10:20:00+01:00']] }),
      bob({ busy: [['2030-01-08T10:50:00+01:00', '2030-01-08T23:00:00+01:00']] }),
    ],
    asks: { search: { date_range: { start_date: '2030-01-08', end_date: '2030-01-08' } } },
    chosen: 'Tue 8 Jan 10:20',
    said: 'Mid-morning within the next three days, when both are free.',
  },
  {
    title: 'New York and Tokyo, as their days are',
    now: MONDAY,
    people: [ada({ zone: NEW_YORK }), bob({ zone: TOKYO })],
    asks: { search: {} },
    chosen: 'none',
    said: 'There are no common work hours of 30 minutes between Monday, 7 January and Sunday, 20 January.',
  },
  {
    title: 'A time three weeks from now that is taken',
    now: MONDAY,
    people: [ada(), bob({ busy: [['2030-01-31T10:00:00+01:00', '2030-01-31T12:00:00+01:00']] })],
    asks: { book: { start: '2030-01-31T10:00:00+01:00', minutes: 30 } },
    chosen: 'none',
    said: 'This time is not free for both. Take one of the alternatives. Thu 31 Jan 09:30, Thu 31 Jan 09:00, Thu 31 Jan 08:30, Thu 31 Jan 08:00, Thu 31 Jan 13:00',
  },
];
