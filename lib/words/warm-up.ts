import { findSlots } from '../engine/rank/find-slots.ts';
import { DEFAULT_WORK_HOURS } from '../engine/rules/defaults.ts';
import { DAY } from '../engine/time/dates.ts';
import { withWords } from './slots.ts';

// V8 compiles a function when it first runs. One search while the Worker starts spares the first request that time.

const now = Date.UTC(2026, 0, 5, 9);
const busy = [1, 2].map((days) => ({ start: now + days * DAY, end: now + days * DAY + DAY / 24 }));
const person = {
  workHours: DEFAULT_WORK_HOURS,
  focusBlocks: [],
  bufferMinutes: 0,
  maxMeetingsPerDay: 10,
  meetings: [],
};
withWords(
  findSlots({
    requester: { ...person, email: 'ada', timeZone: 'Europe/Berlin', busy },
    other: { ...person, email: 'bob', timeZone: 'America/New_York', busy },
    durationMinutes: 30,
    window: { start: '2026-01-05', end: '2026-01-16', days: 12 },
    now,
  }),
);
