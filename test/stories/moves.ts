import { ada, ben, chloe, noah, type Story } from './story.ts';

const MONDAY = 'Mon 8 Jan 8:00';

/** Stories about a time that somebody names: a meeting to move, a time to book, a time to explain. */
export const MOVES: Story[] = [
  {
    title: 'Too early for me',
    now: MONDAY,
    people: [ada(), ben()],
    asks: { move: { at: 'Tue 9 Jan 10:00' }, by: 1, reason: 'That is too early for me' },
    answer: ['The meeting is now on Tuesday, 9 January at 13:00: later in the day than before, as Ben asked.'],
  },
  {
    title: 'Thursday instead',
    now: MONDAY,
    people: [ada(), chloe()],
    asks: { move: { at: 'Tue 9 Jan 10:00' }, by: 0, reason: 'Can we do it on Thursday instead?' },
    answer: ['The meeting is now on Thursday, 11 January at 10:00 in Berlin, 9:00 in London, as Ada asked.'],
  },
  {
    title: 'I land at 2pm',
    now: MONDAY,
    people: [ada(), chloe()],
    asks: { move: { at: 'Wed 10 Jan 11:00' }, by: 1, reason: 'I land at 2pm on Wednesday, any time after that works' },
    answer: [
      "The meeting is now on Wednesday, 10 January at 15:30 in Berlin, 14:30 in London, as Chloe can't make the old time.",
    ],
  },
  {
    title: 'Half an hour later, with another call right after it',
    now: MONDAY,
    people: [ada(), ben({ busy: ['Tue 9 Jan 11:00-11:30'] })],
    asks: { move: { at: 'Tue 9 Jan 10:00', minutes: 60 }, by: 1, reason: 'Push it back half an hour?' },
    answer: [
      "Half an hour later is not free for both, so the meeting is now on Tuesday, 9 January at 13:00: it's 3 hours later than before.",
    ],
  },
  {
    title: 'A whole letter',
    now: MONDAY,
    people: [ada(), ben()],
    asks: {
      move: { at: 'Tue 9 Jan 16:00' },
      by: 1,
      reason:
        "Hi Ada, so sorry to do this again. The school moved the parents' evening, which means I have to leave at 3 on Tuesday, and Wednesday is my only day for writing. Would Thursday or Friday work for you, ideally not too early? Thanks for being so flexible! Ben",
    },
    answer: [
      'The meeting is now on Thursday, 11 January at 16:00, as Ben asked.',
      'These words about time were not understood, so they had no effect: “which means I have to leave at 3 on Tuesday, and Wednesday is my only day for writing”.',
    ],
  },
  {
    title: 'Thursday afternoon, when the other is away',
    now: MONDAY,
    people: [ada({ busy: ['Thu 11 Jan 12:00 to Fri 12 Jan 0:00'] }), ben()],
    asks: { move: { at: 'Wed 10 Jan 14:00' }, by: 1, reason: 'Thursday afternoon would be better' },
    answer: [
      "No time on Thursday afternoon suits both, so the meeting is now on Thursday, 11 January at 11:30, the closest free time. It's right before another meeting of Ada's.",
    ],
  },
  {
    title: 'A flight was moved, and no other time is named',
    now: MONDAY,
    people: [ada(), ben({ busy: ['Wed 31 Jan 0:00 to Thu 1 Feb 0:00'] })],
    asks: { move: { at: 'Wed 31 Jan 15:00' }, by: 1, reason: 'My flight was moved, sorry' },
    answer: ['The meeting is now on Thursday, 1 February at 15:00: the same time a day later.'],
  },
  {
    title: 'Back to back again',
    now: MONDAY,
    people: [ada({ busy: ['Tue 9 Jan 9:00-10:00', 'Tue 9 Jan 10:30-12:00'] }), ben()],
    asks: { move: { at: 'Tue 9 Jan 10:00' }, by: 0, reason: 'Back to back again, I need a break' },
    answer: ['The meeting is now on Tuesday, 9 January at 13:00, with a break before and after, as Ada asked.'],
  },
  {
    title: 'Explain a free time that was not offered',
    now: MONDAY,
    people: [ada(), chloe()],
    asks: { explain: { at: 'Fri 12 Jan 16:00' } },
    answer: [
      "Both are free then, but it's a Friday afternoon. A better time is Tuesday, 9 January at 10:30 in Berlin, 9:30 in London, mid-morning for Ada.",
    ],
  },
  {
    title: 'Explain a time that is taken and late',
    now: MONDAY,
    people: [ada(), chloe({ busy: ['Tue 9 Jan 17:00-18:00'] })],
    asks: { explain: { at: 'Tue 9 Jan 18:00' } },
    answer: [
      "It suits neither: it is outside Ada's work hours, and Chloe is not free. A time that suits both is Tuesday, 9 January at 16:30 in Berlin, 15:30 in London, an hour and a half earlier than asked.",
    ],
  },
  {
    title: 'Explain a time on a public holiday',
    now: 'Mon 19 Nov 9:00',
    people: [chloe(), noah()],
    asks: { explain: { at: 'Thu 22 Nov 15:00' } },
    answer: [
      'It does not work: Thursday, 22 November is Thanksgiving Day, a day off for Noah. A time that suits both is Wednesday, 21 November at 15:00 in London, 10:00 in New York, the same time a day earlier.',
    ],
  },
  {
    title: 'Book a time that is taken',
    now: MONDAY,
    people: [ada(), chloe({ busy: ['Wed 31 Jan 9:00-11:00'] })],
    asks: { book: { at: 'Wed 31 Jan 10:00' } },
    answer: [
      'Nothing was booked: Chloe is not free then. Book one of the alternatives instead.',
      "Wednesday, 31 January at 9:30 in Berlin, 8:30 in London: half an hour earlier than asked, but right before another meeting of Chloe's.",
      'Wednesday, 31 January at 14:00 in Berlin, 13:00 in London.',
      'Thursday, 1 February at 10:00 in Berlin, 9:00 in London: the same time a day later.',
      'Tuesday, 30 January at 10:00 in Berlin, 9:00 in London: the same time a day earlier.',
      'Friday, 2 February at 10:00 in Berlin, 9:00 in London: the same time 2 days later.',
    ],
  },
  {
    title: 'Book a time in the evening of one and on the holiday of the other',
    now: 'Mon 19 Nov 9:00',
    people: [chloe(), noah()],
    asks: { book: { at: 'Thu 22 Nov 19:00' } },
    answer: [
      'Booked: Thursday, 22 November at 19:00 in London, 14:00 in New York.',
      "19:00 to 19:30 in London is outside Chloe's work hours.",
      'Thursday, 22 November is Thanksgiving Day, a day off for Noah.',
    ],
  },
];
