import { ada, BERLIN, ben, chloe, LONDON, noah, type Story, TOKYO } from './story.ts';

const MONDAY = 'Mon 8 Jan 8:00';

/** Stories in which Tandem picks the time of a new meeting, or cannot. */
export const PICKS: Story[] = [
  {
    title: 'An investor call',
    now: MONDAY,
    people: [ada(), chloe()],
    asks: { auto: { context: 'investor_call' } },
    answer: [
      'The meeting is on Tuesday, 9 January at 10:30 in Berlin, 9:30 in London: mornings suit an investor call.',
      'match_quality: excellent',
    ],
  },
  {
    title: 'Something urgent',
    now: MONDAY,
    people: [ada({ busy: ['Mon 8 Jan 8:00-9:30'] }), ben({ busy: ['Mon 8 Jan 10:00-11:15'] })],
    asks: { auto: { context: 'urgent' } },
    answer: [
      "The meeting is on Monday, 8 January at 9:30: no earlier time suits both. It's straight after another meeting of Ada's and right before one of Ben's.",
      'match_quality: good',
    ],
  },
  {
    title: 'A demo, for which only this morning is left',
    now: MONDAY,
    people: [ada(), ben({ busy: ['Mon 8 Jan 12:00 to Fri 26 Jan 18:00'] })],
    asks: { auto: { context: 'client_demo' } },
    answer: [
      "The meeting is on Monday, 8 January at 11:15: mornings suit a demo. It's at short notice, as no time with a day's notice suits both through 21 January.",
      'match_quality: good',
    ],
  },
  {
    title: 'A morning person and an evening person',
    now: MONDAY,
    people: [ada({ energy: 'morning_person' }), ben({ hours: '10:00-20:00', energy: 'evening_person' })],
    asks: { auto: { context: 'one_on_one' } },
    answer: [
      "The meeting is on Monday, 8 January at 13:00: afternoons suit a one-on-one. It's outside Ada's best time of day (the morning), and outside Ben's best time of day (the evening).",
      'match_quality: fair',
    ],
  },
  {
    title: 'Nobody before noon, never on Mondays',
    now: MONDAY,
    people: [ada({ says: 'Mornings are bad for me, and never on Mondays please.' }), ben()],
    asks: { auto: { context: 'review' } },
    answer: [
      'The meeting is on Tuesday, 9 January at 13:30: afternoons suit a review. It keeps to what Ada asked for (never before 12:00 and never on Mondays).',
      'match_quality: excellent',
    ],
  },
  {
    title: 'New York and Tokyo again, after Tokyo met early',
    now: MONDAY,
    people: [noah({ hours: '7:00-19:00' }), { name: 'Yuki Yamada', zone: TOKYO, hours: '7:00-19:00' }],
    earlier: [{ at: 'Tue 9 Jan 17:30' }],
    asks: { auto: {} },
    answer: [
      "The meeting is on Wednesday, 10 January at 18:00 in New York, 8:00 on Thursday in Tokyo. It's late for Noah this time, as Yuki has had more early or late meetings between the two.",
      'match_quality: fair',
    ],
  },
  {
    title: 'An interview, asked for on 18 December',
    now: 'Tue 18 Dec 9:00',
    people: [ada({ busy: ['Tue 18 Dec - Fri 21 Dec 8:00-18:00'] }), chloe()],
    asks: { auto: { context: 'interview', minutes: 60 } },
    answer: [
      "The meeting is on Thursday, 27 December at 10:30 in Berlin, 9:30 in London: mornings suit an interview, but it's between Christmas and New Year.",
      'match_quality: good',
    ],
  },
  {
    title: 'A job for two people who have no time together',
    now: MONDAY,
    people: [
      ada({ busy: ['Mon 8 Jan 0:00 to Fri 19 Jan 12:00'] }),
      ben({ busy: ['Fri 19 Jan 12:15 to Fri 9 Feb 18:00'] }),
    ],
    asks: { auto: {} },
    answer: [
      "Together, Ada's and Ben's busy times leave no half hour free for both between Monday, 8 January and Sunday, 21 January. Tandem looked as far as Sunday, 28 January and found no time that suits both.",
      'If the meeting took 15 minutes, the only time would be Friday, 19 January at 12:00, over lunch for both.',
    ],
  },
  {
    title: 'Somebody never connected a calendar',
    now: MONDAY,
    people: [ada(), { name: 'Lea Lang', zone: BERLIN, isAbsent: true }],
    asks: { auto: {} },
    answer: [
      'lea.lang@story-21.test has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.',
    ],
  },
  {
    title: 'An agent asks what Tandem would book',
    now: MONDAY,
    people: [ada({ busy: ['Mon 8 Jan - Tue 9 Jan 8:00-18:00'] }), { name: 'Eli Evans', zone: LONDON }],
    asks: { preview: { context: 'sales_call' } },
    answer: [
      'Nothing has been done yet. This would book "Sales call: Ada Adams and Eli Evans" on Wednesday 2029-01-10, 10:30 to 11:00 for ada.adams@story-22.test (Europe/Berlin, +01:00); Wednesday 2029-01-10, 09:30 to 10:00 for eli.evans@story-22.test (Europe/London, +00:00); in UTC 2029-01-10T09:30:00Z to 2029-01-10T10:00:00Z. The reason: mornings suit a sales call.',
    ],
  },
];
