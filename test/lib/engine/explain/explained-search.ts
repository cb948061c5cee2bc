import { at, dates, person, span } from '../people.ts';

const ada = person({
  focusBlocks: [{ day: 'tuesday', start: '09:00', end: '10:00', reason: 'secret plan' }],
  bufferMinutes: 15,
  maxMeetingsPerDay: 1,
  busy: [span('2026-05-05T15:00Z', '2026-05-05T16:00Z')],
  meetings: [span('2026-05-07T15:00Z', '2026-05-07T16:00Z')],
});
const bob = person({ email: 'bob@example.com', timeZone: 'Europe/Berlin' });
/** A search for Ada, who has a rule of each kind against some time, and Bob, who has none. */
export const search = {
  requester: ada,
  other: bob,
  durationMinutes: 30,
  window: dates('2026-05-05', '2026-05-08'),
  now: at('2026-05-05T12:00Z'),
};
