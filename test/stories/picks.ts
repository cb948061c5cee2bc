import { ada, BERLIN, bob, hours, KOLKATA, LONDON, LOS_ANGELES, NEW_YORK, type Story, SYDNEY, TOKYO } from './story.ts';

const MONDAY = '2030-01-07T07:00:20Z';

/** The service picks the time. */
export const PICKS: Story[] = [
  {
    title: 'Two colleagues in one office',
    now: MONDAY,
    people: [ada(), bob()],
    asks: { auto: {} },
    chosen: 'Mon 7 Jan 10:15, excellent',
    said: 'The meeting is on Monday, 7 January at 10:15 for both Ada Adams and Bob Brown (Berlin time): it is mid-morning for both and soon.',
  },
  {
    title: 'Berlin and Tokyo',
    now: MONDAY,
    people: [ada(), bob({ zone: TOKYO })],
    asks: { auto: { duration_minutes: 45 } },
    chosen: 'Tue 8 Jan 08:00, excellent',
    said: 'The meeting is on Tuesday, 8 January at 08:00 for Ada Adams (Berlin time) and 16:00 for Bob Brown (Tokyo time): it is soon.',
  },
  {
    title: 'An investor call, on the same morning it is asked for',
    now: MONDAY,
    people: [ada(), bob({ zone: LONDON })],
    asks: { auto: { context: 'investor_call' } },
    chosen: 'Tue 8 Jan 10:00, excellent',
    said: 'The meeting is on Tuesday, 8 January at 10:00 for Ada Adams (Berlin time) and 09:00 for Bob Brown (London time): mornings suit an investor call, and it is mid-morning for Ada and soon.',
  },
  {
    title: 'Something urgent',
    now: MONDAY,
    people: [
      ada({ busy: [['2030-01-07T08:00:00+01:00', '2030-01-07T09:30:00+01:00']] }),
      bob({ busy: [['2030-01-07T10:00:00+01:00', '2030-01-07T11:15:00+01:00']] }),
    ],
    asks: { auto: { context: 'urgent' } },
    chosen: 'Mon 7 Jan 09:30, good',
    said: 'The meeting is on Monday, 7 January at 09:30 for both Ada Adams and Bob Brown (Berlin time): it is the first time that suits both.',
  },
  {
    title: 'An interview with somebody who is free only tomorrow morning and today',
    now: MONDAY,
    people: [
      ada(),
      bob({
        busy: [
          ['2030-01-07T12:00:00+01:00', '2030-01-08T09:00:00+01:00'],
          ['2030-01-08T09:45:00+01:00', '2030-01-25T18:00:00+01:00'],
        ],
      }),
    ],
    asks: { auto: { context: 'interview' } },
    chosen: 'Tue 8 Jan 09:00, excellent',
    said: 'The meeting is on Tuesday, 8 January at 09:00 for both Ada Adams and Bob Brown (Berlin time): mornings suit an interview and it is soon.',
  },
  {
    title: 'A demo, where only this morning is left',
    now: MONDAY,
    people: [ada(), bob({ busy: [['2030-01-07T12:00:00+01:00', '2030-01-25T18:00:00+01:00']] })],
    asks: { auto: { context: 'client_demo' } },
    chosen: 'Mon 7 Jan 11:30, good',
    said: "The meeting is on Monday, 7 January at 11:30 for both Ada Adams and Bob Brown (Berlin time): every time that suits both is on that day and mornings suit a demo. Nothing was free with a day's notice, so it comes with less.",
  },
  {
    title: 'One hole in two full weeks',
    now: MONDAY,
    people: [
      ada({ busy: [['2030-01-07T00:00:00+01:00', '2030-01-15T14:20:00+01:00']] }),
      bob({ busy: [['2030-01-15T14:50:00+01:00', '2030-01-25T18:00:00+01:00']] }),
    ],
    asks: { auto: {} },
    chosen: 'Tue 15 Jan 14:20, good',
    said: 'The meeting is on Tuesday, 15 January at 14:20 for both Ada Adams and Bob Brown (Berlin time): it is the only time left that suits both.',
  },
  {
    title: 'A morning person and an evening person',
    now: MONDAY,
    people: [
      ada({ preferences: { energy_pattern: 'morning_person' } }),
      bob({ preferences: { energy_pattern: 'evening_person', ...hours('10:00', '20:00') } }),
    ],
    asks: { auto: { context: 'one_on_one' } },
    chosen: 'Mon 7 Jan 10:15, fair',
    said: "The meeting is on Monday, 7 January at 10:15 for both Ada Adams and Bob Brown (Berlin time): it is mid-morning for both and soon, and mornings are Ada's best hours. It is in the morning, not Bob's best hours.",
  },
  {
    title: 'Nobody before noon, never on Mondays',
    now: MONDAY,
    people: [
      ada({ preferences: { scheduling_context: 'Mornings are bad for me, and never on Mondays please.' } }),
      bob(),
    ],
    asks: { auto: { context: 'review' } },
    chosen: 'Tue 8 Jan 13:00, excellent',
    said: 'The meeting is on Tuesday, 8 January at 13:00 for both Ada Adams and Bob Brown (Berlin time): afternoons suit a review and it is soon. It avoids mornings and Mondays, as Ada prefers.',
  },
  {
    title: 'Only Friday afternoon is left',
    now: '2030-01-09T07:00:20Z',
    people: [
      ada({ busy: [['2030-01-09T00:00:00+01:00', '2030-01-11T14:00:00+01:00']] }),
      bob({ busy: [['2030-01-12T00:00:00+01:00', '2030-01-30T00:00:00+01:00']] }),
    ],
    asks: { auto: { context: 'casual_chat' } },
    chosen: 'Fri 11 Jan 14:00, good',
    said: 'The meeting is on Friday, 11 January at 14:00 for both Ada Adams and Bob Brown (Berlin time): every time that suits both is on that day and afternoons suit a chat. It is on a Friday afternoon.',
  },
  {
    title: 'Only the lunch hour is left to both',
    now: MONDAY,
    people: [
      ada({
        busy: [
          ['2030-01-07T00:00:00+01:00', '2030-01-08T12:00:00+01:00'],
          ['2030-01-08T13:00:00+01:00', '2030-01-25T18:00:00+01:00'],
        ],
      }),
      bob(),
    ],
    asks: { auto: {} },
    chosen: 'Tue 8 Jan 12:00, fair',
    said: 'The meeting is on Tuesday, 8 January at 12:00 for both Ada Adams and Bob Brown (Berlin time): every time that suits both is on that day. It runs into the lunch hour of both.',
  },
  {
    title: 'Lunch here is not lunch there',
    now: MONDAY,
    people: [
      ada({
        busy: [
          ['2030-01-07T00:00:00+01:00', '2030-01-08T11:00:00+01:00'],
          ['2030-01-08T14:00:00+01:00', '2030-01-25T18:00:00+01:00'],
        ],
      }),
      bob({ zone: LONDON }),
    ],
    asks: { auto: {} },
    chosen: 'Tue 8 Jan 11:00, excellent',
    said: 'The meeting is on Tuesday, 8 January at 11:00 for Ada Adams (Berlin time) and 10:00 for Bob Brown (London time): every time that suits both is on that day.',
  },
  {
    title: 'Focus time every morning',
    now: MONDAY,
    people: [
      ada({
        preferences: {
          focus_blocks: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((day) => ({
            day,
            start: '08:00',
            end: '12:00',
          })),
        },
      }),
      bob(),
    ],
    asks: { auto: { context: 'investor_call' } },
    chosen: 'Tue 8 Jan 13:00, fair',
    said: "The meeting is on Tuesday, 8 January at 13:00 for both Ada Adams and Bob Brown (Berlin time): it is soon. It keeps Ada's focus time free. It is in the afternoon, not the best time for an investor call.",
  },
  {
    title: 'Two whose days never meet',
    now: MONDAY,
    people: [ada({ zone: NEW_YORK }), bob({ zone: TOKYO })],
    asks: { auto: {} },
    chosen: 'none',
    said: 'There are no common work hours of 30 minutes between Monday, 7 January and Sunday, 20 January. Book a time of your own choice with POST /v1/schedule.',
  },
  {
    title: 'The same two with longer days, for the first time',
    now: MONDAY,
    people: [
      ada({ zone: NEW_YORK, preferences: hours('07:00', '19:00') }),
      bob({ zone: TOKYO, preferences: hours('07:00', '19:00') }),
    ],
    asks: { auto: {} },
    chosen: 'Mon 7 Jan 17:30, fair',
    said: 'The meeting is on Monday, 7 January at 17:30 for Ada Adams (New York time) and Tuesday, 8 January at 07:30 for Bob Brown (Tokyo time): it is soon. It starts before 08:00 for Bob.',
  },
  {
    title: 'And again, after Bob met early',
    now: MONDAY,
    people: [
      ada({ zone: NEW_YORK, preferences: hours('07:00', '19:00') }),
      bob({ zone: TOKYO, preferences: hours('07:00', '19:00') }),
    ],
    earlier: [{ start: '2030-01-08T17:30:00-05:00', minutes: 30 }],
    asks: { auto: {} },
    chosen: 'Mon 7 Jan 18:00, fair',
    said: "The meeting is on Monday, 7 January at 18:00 for Ada Adams (New York time) and Tuesday, 8 January at 08:00 for Bob Brown (Tokyo time): it is soon. It ends after 18:00 for Ada. Their other recent meetings take 30 minutes outside 08:00-18:00 from Bob and none from Ada, so this time it is Ada's turn.",
  },
  {
    title: 'A quarter of an hour to breathe on both sides',
    now: MONDAY,
    people: [
      ada({
        preferences: { buffer_minutes: 15 },
        busy: [
          ['2030-01-07T00:00:00+01:00', '2030-01-08T10:00:00+01:00'],
          ['2030-01-08T11:00:00+01:00', '2030-01-14T18:00:00+01:00'],
        ],
      }),
      bob(),
    ],
    asks: { auto: {} },
    chosen: 'Tue 8 Jan 10:15, excellent',
    said: 'The meeting is on Tuesday, 8 January at 10:15 for both Ada Adams and Bob Brown (Berlin time): it is the first time that suits both and mid-morning for both.',
  },
  {
    title: 'Los Angeles and Kolkata',
    now: MONDAY,
    people: [
      ada({ zone: LOS_ANGELES, preferences: hours('07:00', '20:00') }),
      bob({ zone: KOLKATA, preferences: hours('07:00', '20:00') }),
    ],
    asks: { auto: { context: 'team_standup', duration_minutes: 15 } },
    chosen: 'Mon 7 Jan 17:45, fair',
    said: 'The meeting is on Monday, 7 January at 17:45 for Ada Adams (Los Angeles time) and Tuesday, 8 January at 07:15 for Bob Brown (Kolkata time): it is soon. It starts before 08:00 for Bob.',
  },
  {
    title: 'In the week in which New York has changed its clocks and Berlin has not',
    now: '2030-03-11T07:00:20Z',
    people: [ada({ zone: BERLIN }), bob({ zone: NEW_YORK })],
    asks: { auto: { context: 'sales_call' } },
    chosen: 'Tue 12 Mar 13:00, excellent',
    said: 'The meeting is on Tuesday, 12 March at 13:00 for Ada Adams (Berlin time) and 08:00 for Bob Brown (New York time): it is soon and afternoons suit a sales call.',
  },
  {
    title: 'Sydney and London, one of them early or the other late',
    now: MONDAY,
    people: [
      ada({ zone: SYDNEY, preferences: hours('08:00', '20:00') }),
      bob({ zone: LONDON, preferences: hours('07:30', '19:00') }),
    ],
    asks: { auto: { context: 'strategy_session', duration_minutes: 60 } },
    chosen: 'Tue 8 Jan 19:00, fair',
    said: 'The meeting is on Tuesday, 8 January at 19:00 for Ada Adams (Sydney time) and 08:00 for Bob Brown (London time): it is soon. It ends after 18:00 for Ada, and is in the evening, not the best time for a strategy session.',
  },
];
