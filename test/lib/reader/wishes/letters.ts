import { NOTHING, type Scene } from './said.ts';

/** Monday morning; the meeting is on Tuesday at ten. */
const scene = { zone: 'Europe/Berlin', now: '2026-12-07 09:00', old: '2026-12-08 10:00' };

export const TOGETHER: Scene = {
  ...scene,
  rows: [
    ['Thursday afternoon', { dates: ['2026-12-10'], from: '12:00', to: '17:00' }],
    ['Thursday at 3', { dates: ['2026-12-10'], from: '15:00', to: '15:30', near: '2026-12-10 15:00' }],
    ['Thursday after 3pm', { dates: ['2026-12-10'], from: '15:00' }],
    ['Friday morning works best', { dates: ['2026-12-11'], to: '12:00' }],
    ['Wednesday or Thursday morning', { dates: ['2026-12-09', '2026-12-10'], to: '12:00' }],
    ['tomorrow at 4pm', { dates: ['2026-12-08'], from: '16:00', to: '16:30' }],
    ['this afternoon?', { dates: ['2026-12-07'], from: '12:00', to: '17:00', sooner: true }],
    ['Wednesday between 1 and 3pm', { dates: ['2026-12-09'], from: '13:00', to: '15:00' }],
    ['Thursday, not too early', { dates: ['2026-12-10'], from: '10:00' }],
    [
      'Too early on Tuesday, can we do Wednesday afternoon?',
      { relative: 'later', dates: ['2026-12-09'], from: '12:00', to: '17:00' },
    ],
    ['Monday is a holiday here, Wednesday after 2?', { unwanted: ['monday'], dates: ['2026-12-09'], from: '14:00' }],
    ['too late, and Fridays are bad anyway', { relative: 'earlier', unwanted: ['friday'] }],
    ['Wednesday at 4 or Thursday at 10', { dates: ['2026-12-09', '2026-12-10'], near: '2026-12-09 16:00' }],
    ['can we do it next week, mornings only', { dates: ['2026-12-14..2026-12-20'], to: '12:00' }],
    ['Thursday same time', { dates: ['2026-12-10'], from: '10:00', to: '10:30' }],
    [
      'I have a dentist appointment, so could we move to 2pm?',
      { from: '14:00', to: '14:30', near: '2026-12-08 14:00' },
    ],
    ['My flight lands at 11, anything after 1pm works', { from: '13:00' }],
    ['Not Wednesday, not Thursday, Friday is good', { unwanted: ['wednesday', 'thursday'], dates: ['2026-12-11'] }],
  ],
};

export const SLIPS: Scene = {
  ...scene,
  rows: [
    ['thrusday instead', { dates: ['2026-12-10'] }],
    ['can we do wendesday', { dates: ['2026-12-09'] }],
    ['wensday pls', { dates: ['2026-12-09'] }],
    ['tommorow afternon', { dates: ['2026-12-08'], from: '12:00', to: '17:00' }],
    ['next weak please', { dates: ['2026-12-14..2026-12-20'] }],
    ['to early for me', { relative: 'later' }],
    ['tooo early', { relative: 'later' }],
    ['ealier please', { relative: 'earlier' }],
    ['afetr 3pm', { from: '15:00' }],
    ['mornigns dont work', { from: '12:00' }],
    ['cant do teusday', { unwanted: ['tuesday'] }],
    ['not munday', { unwanted: ['monday'] }],
    ['friay would be better', { dates: ['2026-12-11'] }],
    ['befor noon', { to: '12:00' }],
    ['need more time to perpare', { moreTime: true }],
    ['a week latter please', { dates: ['2026-12-15'] }],
  ],
};

export const POLITE: Scene = {
  ...scene,
  rows: [
    [
      "Hi Anna, I hope you're doing well! So sorry to do this again, but would it be at all possible to move our call to Thursday? Thanks so much, have a great weekend! Best, Tom",
      { dates: ['2026-12-10'] },
    ],
    [
      'Good morning! Many apologies for the late notice. If it is not too much trouble, could we perhaps start after 3pm? Thank you for your patience.',
      { from: '15:00' },
    ],
    [
      "Hello, thank you for setting this up, I really appreciate it. I'm afraid the time is a bit too early for me over here. Kind regards",
      { relative: 'later' },
    ],
    ['Happy Monday! Would next week work instead?', { dates: ['2026-12-14..2026-12-20'] }],
    [
      'Thanks a lot for your flexibility. Unfortunately Wednesday is not an option for me, any other day is fine. Have a nice evening',
      { unwanted: ['wednesday'] },
    ],
    [
      "Hey! Hope you had a good weekend. Let's make it a week later if that's ok with you :)",
      { dates: ['2026-12-15'] },
    ],
    ['Dear Bob, please let me know asap whether Friday would be convenient.', { dates: ['2026-12-11'] }],
    ['I know this is annoying, I really am sorry, but mornings are impossible for me with the kids', { from: '12:00' }],
    [
      'So so sorry!! Something urgent came up at work — could we do tomorrow at 4pm?? xx',
      { dates: ['2026-12-08'], from: '16:00', to: '16:30' },
    ],
  ],
};

export const SILENT: Scene = {
  ...scene,
  rows: [
    ['my flight was moved', NOTHING],
    ['My train got cancelled', NOTHING],
    ['something came up', NOTHING],
    ['something came up this morning', NOTHING],
    ['sorry, I have a conflict', NOTHING],
    ['double booked', NOTHING],
    ["I'm sick", NOTHING],
    ['my kid is ill today', NOTHING],
    ['can we find another time?', NOTHING],
    ['Please reschedule', NOTHING],
    ["doctor's appointment", NOTHING],
    ['I have another meeting at that time', NOTHING],
    ['the client asked to move it', NOTHING],
    ['sorry for the late notice', NOTHING],
    ["I'm running late", NOTHING],
    ['I saw the invite too late', NOTHING],
    ['too many meetings', NOTHING],
    ['back-to-back all day', NOTHING],
    ["I'll explain later", NOTHING],
    ['talk to you later!', NOTHING],
    ['as I said earlier, it clashes', NOTHING],
    ['Good morning, can we move this?', NOTHING],
    ['have a great weekend', NOTHING],
    ['money is tight this month', NOTHING],
    ['it clashes with the board meeting', NOTHING],
    ['I was up late last night', NOTHING],
    ['too early to say', NOTHING],
    ["It's not too early for me, but something else came up", NOTHING],
    ['let me know asap', NOTHING],
    ['May I ask for another time?', NOTHING],
    ['I sat in traffic, sun in my eyes', NOTHING],
    ['this is the third time we move it', NOTHING],
    ['the 10 of us cannot fit in the room', NOTHING],
    ['the time was perfect, but my boss called', NOTHING],
    ['any time works', NOTHING],
    ['', NOTHING],
    ['   \n ', NOTHING],
    ['\u{1F642}\u{1F642}', NOTHING],
    ['мне нужно перенести встречу', NOTHING],
  ],
};

export const MAIL: Scene = {
  ...scene,
  rows: [
    [
      'Would you mind if we met on Thursday afternoon instead? Something has come up at home.',
      { dates: ['2026-12-10'], from: '12:00', to: '17:00' },
    ],
    ['I forgot I have a dentist appointment at 2, can we push to 11?', { from: '11:00', to: '11:30' }],
    ["Could we shift this by an hour or two? I'm stuck in another call.", { relative: 'later' }],
    ["Any chance we could do this the week after next? I'm on annual leave.", { dates: ['2026-12-21..2026-12-27'] }],
    ["I'm on annual leave from the 7th to the 11th", { datesUnwanted: ['2026-12-07..2026-12-11'] }],
    [
      "Can't make it tomorrow, but later this week is good",
      { datesUnwanted: ['2026-12-08'], dates: ['2026-12-09..2026-12-13'] },
    ],
    ["Let's push to Friday since I need the numbers from finance first", { dates: ['2026-12-11'] }],
    ["I won't have the report before Thursday", { earliest: '2026-12-10' }],
    ['Could we meet in the afternoon rather than the morning?', { from: '12:00', to: '17:00' }],
    ['Tuesdays are tough because of the standup. Any other weekday works.', { unwanted: ['tuesday'] }],
    ['I need to pick up my kids at 3pm so it has to be before that', { to: '15:00' }],
    [
      "Let's skip this week and meet next week",
      { datesUnwanted: ['2026-12-07..2026-12-13'], dates: ['2026-12-14..2026-12-20'] },
    ],
    ['I prefer to meet later in the week, ideally Thursday or Friday', { dates: ['2026-12-10', '2026-12-11'] }],
    ["I've got school drop-off until 9:30, could we start at 10:30?", { from: '10:30', to: '11:00' }],
    ['How does Thursday at 11 sound?', { dates: ['2026-12-10'], from: '11:00', to: '11:30' }],
    ['Would 4 or 5 pm work?', { from: '16:00', to: '17:30' }],
    ['i can only do mornings on thursdays', { wanted: ['thursday'], to: '12:00' }],
    ['Can we please do it at the same time on Friday?', { dates: ['2026-12-11'], from: '10:00', to: '10:30' }],
    ["I'd really appreciate a bit more time to review the contract", { moreTime: true }],
    ["We haven't received the contract yet, let's wait until next week", { earliest: '2026-12-14' }],
    ['Wednesday is fine, just not before 11', { dates: ['2026-12-09'], from: '11:00' }],
    ['Friday is my day off', { unwanted: ['friday'] }],
    ['Please, no more early calls!', { relative: 'later' }],
    ['Can we hold off until the new year?', { earliest: '2027-01-01' }],
    [
      'Sometime next week, Tuesday or Wednesday afternoon would be ideal',
      { dates: ['2026-12-15', '2026-12-16'], from: '12:00', to: '17:00' },
    ],
    ['Any day next week except Tuesday', { dates: ['2026-12-14..2026-12-20'], unwanted: ['tuesday'] }],
    ["I'd like to bring this forward to today if possible", { dates: ['2026-12-07'], sooner: true }],
    ["Could we postpone? I'm waiting on legal.", { moreTime: true }],
    [
      'Not available on Thursday and Friday. Monday the 14th is possible.',
      { unwanted: ['thursday', 'friday'], dates: ['2026-12-14'] },
    ],
    ["I'd rather keep my mornings free for focus work", { from: '12:00' }],
  ],
};
