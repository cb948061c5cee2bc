import type { Scene } from './said.ts';

/** Monday morning; the meeting is on Tuesday at ten. */
const scene = { zone: 'Europe/Berlin', now: '2026-12-07 09:00', old: '2026-12-08 10:00' };

export const RELATIVE: Scene = {
  ...scene,
  rows: [
    ['too early for me', { relative: 'later' }],
    ["That's too early!!", { relative: 'later' }],
    ["It's a bit early for me", { relative: 'later', near: '2026-12-08 11:00' }],
    ['10am is too early', { relative: 'later' }],
    ['Way too early, sorry!', { relative: 'later' }],
    ['Sorry, that is really early for us on the west coast', { relative: 'later' }],
    ['early mornings are hard for me', { relative: 'later' }],
    ['too late', { relative: 'earlier' }],
    ["That's too late in the day for me", { relative: 'earlier' }],
    ['could we do it later in the day', { relative: 'later' }],
    ['a little later please', { relative: 'later', near: '2026-12-08 11:00' }],
    ['Later?', { relative: 'later' }],
    ['can we start an hour later?', { relative: 'later', near: '2026-12-08 11:00' }],
    ['push it back by 30 minutes', { relative: 'later', near: '2026-12-08 10:30' }],
    ['could we make it half an hour earlier', { relative: 'earlier', near: '2026-12-08 09:30' }],
    ['a couple of hours later would help', { relative: 'later', near: '2026-12-08 12:00' }],
    ['Can we find an earlier time?', { relative: 'earlier' }],
    ['Would it be possible to start a bit earlier?', { relative: 'earlier', near: '2026-12-08 09:00' }],
    ['an earlier slot would be better', { relative: 'earlier' }],
    ["I'd prefer something later", { relative: 'later' }],
    ['Could we do this earlier in the day please', { relative: 'earlier' }],
    ['same day but later', { dates: ['2026-12-08'], relative: 'later' }],
    ['later that day', { dates: ['2026-12-08'], relative: 'later' }],
    ['Later is better for me, I have the school run', { relative: 'later' }],
    ['not that early please', { relative: 'later' }],
  ],
};

export const CLOCKS: Scene = {
  ...scene,
  rows: [
    ['after 3pm', { from: '15:00' }],
    ['after 3 please', { from: '15:00' }],
    ['any time after 15:00 works', { from: '15:00' }],
    ['Not before 11 please', { from: '11:00' }],
    ['no earlier than 11:30', { from: '11:30' }],
    ['before noon', { to: '12:00' }],
    ['nothing before 10am please', { from: '10:00' }],
    ['never before 10am', { from: '10:00' }],
    ["can't do anything after 4pm", { to: '16:00' }],
    ["I'm only free until 11", { to: '11:00' }],
    ["I'm only available after 2 pm", { from: '14:00' }],
    ['between 2 and 4pm', { from: '14:00', to: '16:00' }],
    ['from 1 to 3', { from: '13:00', to: '15:00' }],
    ['2-4pm', { from: '14:00', to: '16:00' }],
    ['9:30 - 11:00 works', { from: '09:30', to: '11:00' }],
    ['anything but between 12 and 2', { not: ['12:00', '14:00'] }],
    ["I'm busy from 9 to 12", { not: ['09:00', '12:00'] }],
    ['at 4pm', { from: '16:00', to: '16:30' }],
    ['4 p.m. instead?', { from: '16:00', to: '16:30' }],
    ['Could we do 11:30?', { from: '11:30', to: '12:00' }],
    ['half past two would be perfect', { from: '14:30', to: '15:00' }],
    ['how about quarter to four', { from: '15:45', to: '16:15' }],
    ['let’s say 14h30', { from: '14:30', to: '15:00' }],
    ['around 3 if possible', { from: '14:30', to: '16:00' }],
    ['noon works', { from: '12:00', to: '12:30' }],
    ["10:00 doesn't work, 11:00 would", { from: '11:00', to: '11:30' }],
    ["3pm won't work", { not: ['15:00', '15:30'] }],
    ['I have to leave at 4', { to: '16:00' }],
    ['I have a hard stop at 5pm', { to: '17:00' }],
    ["I'm in meetings until 2pm", { from: '14:00' }],
    ['before 10 is hard for me', { from: '10:00' }],
    ["After 5pm doesn't suit me", { to: '17:00' }],
    ['no calls after 6pm please', { to: '18:00' }],
    ['by 4pm at the latest', { to: '16:00' }],
    ['3pm or later', { from: '15:00' }],
    ['at 9 or earlier', { to: '09:30' }],
    ['not too early please', { from: '10:00' }],
    ['nothing too late please', { to: '17:00' }],
  ],
};

export const PARTS: Scene = {
  ...scene,
  rows: [
    ['mornings only', { to: '12:00' }],
    ['in the morning please', { to: '12:00' }],
    ['could we do an afternoon instead?', { from: '12:00', to: '17:00' }],
    ['I prefer afternoons', { from: '12:00', to: '17:00' }],
    ['only in the afternoon', { from: '12:00', to: '17:00' }],
    ['evenings are better', { from: '17:00' }],
    ['no afternoons', { not: ['12:00', '17:00'] }],
    ['not in the evening', { to: '17:00' }],
    ["mornings don't work", { from: '12:00' }],
    ['Mornings are really not good for me', { from: '12:00' }],
    ['anything but mornings', { from: '12:00' }],
    ["I'm not a morning person", { from: '12:00' }],
    ['late afternoon would be great', { from: '15:00', to: '18:00' }],
    ['early afternoon?', { from: '12:00', to: '15:00' }],
    ['late morning is best', { from: '10:00', to: '12:00' }],
    ['after lunch please', { from: '13:00' }],
    ['can we do it before lunch', { to: '12:00' }],
    ['not over lunch please', { not: ['12:00', '13:00'] }],
    ['towards the end of the day', { from: '16:00' }],
    ['first thing in the morning', { to: '10:00' }],
    ['mornings are taken, afternoons are fine', { from: '12:00', to: '17:00' }],
  ],
};

/** The same words at other hours. */
export const HOURS: Scene[] = [
  {
    ...{ zone: 'America/Los_Angeles', now: '2026-12-07 09:00', old: '2026-12-08 06:00' },
    rows: [
      ["it's 6am for me", { relative: 'later' }],
      ['6am is brutal', { relative: 'later' }],
      ['That would be 6 am my time', { relative: 'later' }],
    ],
  },
  {
    ...{ zone: 'Asia/Tokyo', now: '2026-12-07 09:00', old: '2026-12-08 23:00' },
    rows: [
      ["that's 11pm my time", { relative: 'earlier' }],
      ["it's really late here", { relative: 'earlier' }],
    ],
  },
  {
    ...{ zone: 'Europe/London', now: '2026-12-07 09:00', old: '2026-12-08 14:00' },
    rows: [
      ['too early for me', { relative: 'later', near: '2026-12-08 16:00' }],
      ['too late for me', { relative: 'earlier', near: '2026-12-08 12:00' }],
    ],
  },
];
