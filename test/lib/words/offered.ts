import type { PersonFacts, SlotFacts } from '../../../lib/engine/rank/slot-facts.ts';
import { at } from '../engine/people.ts';

const person = (email: string, about: Partial<PersonFacts>): PersonFacts => ({
  email,
  timeZone: 'UTC',
  isClockUnknown: false,
  startMinute: 600,
  outside: undefined,
  isMidMorning: false,
  isOverLunch: false,
  isFridayAfternoon: false,
  afterOpening: 120,
  beforeClosing: 420,
  hasRoom: false,
  roomMinutes: 30,
  isCalendarEmpty: false,
  sidesTaken: 0,
  isOvernight: false,
  freeHalf: undefined,
  isHalfDay: false,
  verdict: undefined,
  holidays: [],
  bridge: undefined,
  ...about,
});

export type About = Partial<PersonFacts>;

/** Facts about a time of which nothing is to be said but what is given about Ada, about Bob, or about the time. */
export const offer = (start: string, ada: About = {}, bob: About = {}, more: Partial<SlotFacts> = {}): SlotFacts => ({
  start: at(start),
  end: at(start) + 30 * 60_000,
  now: at('2026-05-01T08:00Z'),
  searched: { first: '2026-05-01', last: '2026-05-14', isFromNow: true },
  people: [person('ada@example.com', ada), person('bob@example.com', bob)],
  isOnlyTime: false,
  isOnlyOfDay: false,
  isFirst: false,
  isFirstWithNotice: false,
  isLastOfDay: false,
  isShortNotice: false,
  fromAsked: undefined,
  ...more,
});
