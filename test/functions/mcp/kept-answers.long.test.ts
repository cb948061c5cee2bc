import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { withAgent } from '../../support/people/agents.ts';
import { type Booked, booked, iso } from '../../support/people/meetings.ts';
import { REDIS_STATES } from '../../support/worlds/race.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

/** Meeting of the people of another one, a day after it unless other times are given. */
const talk = ({ ada, bob, start }: Booked, more: object = { start_time: iso(start + 24 * HOUR) }) => ({
  ...{ attendees: [ada.email, bob.email], duration_minutes: 30, title: 'Talk' },
  ...more,
});
const asked = ({ ada, id }: Booked) => ({ meeting_id: id, requested_by: ada.email, reason: 'Later please' });

/** Calls of tools that take an idempotency key, each with the beginning of its answer and its arguments. */
const CALLS: [what: string, tool: string, says: RegExp, args: (meeting: Booked) => object][] = [
  ['a booking', 'schedule_meeting', /^Booked /, talk],
  [
    'a refused booking',
    'schedule_meeting',
    /^slot_unavailable: /,
    (meeting) => talk(meeting, { start_time: iso(meeting.start), require_free: true }),
  ],
  [
    'a job',
    'schedule_auto',
    /^Tandem is choosing and booking a time/,
    ({ ada, bob }) => ({ attendees: [ada.email, bob.email] }),
  ],
  ['a proposal', 'propose_times', /^Offered /, (meeting) => talk(meeting, {})],
  ['a move', 'reschedule_meeting', /^Moved to /, asked],
  ['a cancellation', 'cancel_meeting', /^Cancelled /, ({ id }) => ({ meeting_id: id })],
];

describe.each(CALLS)('%s', (_what, tool, says, args) => {
  test.each(REDIS_STATES)('is answered the same again under its key, with Redis $name', async ({ before, between }) => {
    const { agent, ...meeting } = await withAgent(booked());
    const ask = () => agent.call(tool, { ...args(meeting), idempotency_key: 'kept' });
    await before?.();
    const first = await ask();
    expect(first.text).toMatch(says);
    await between?.();
    expect(await ask()).toEqual(first);
  });
});
