import { describe, expect, test } from 'vitest';
import { type Told, withAgent } from '../../support/people/agents.ts';
import { bookable, booked } from '../../support/people/meetings.ts';
import { REDIS_STATES } from '../../support/worlds/race.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

const idempotency_key = 'kept';

/** Tools that take an idempotency key, each with the beginning of its answer. */
const TOOLS: Record<string, { says: RegExp; arrange: () => Promise<() => Promise<Told>> }> = {
  schedule_meeting: {
    says: /^Booked /,
    async arrange() {
      const { agent, body } = await withAgent(bookable());
      return () => agent.call('schedule_meeting', { ...body, idempotency_key });
    },
  },
  'schedule_meeting, refused': {
    says: /^slot_unavailable: /,
    async arrange() {
      const { agent, body } = await withAgent(bookable());
      await agent.call('schedule_meeting', body);
      return () => agent.call('schedule_meeting', { ...body, require_free: true, idempotency_key });
    },
  },
  schedule_auto: {
    says: /^Tandem is choosing and booking a time/,
    async arrange() {
      const { agent, body } = await withAgent(bookable());
      return () => agent.call('schedule_auto', { attendees: body.attendees, idempotency_key });
    },
  },
  propose_times: {
    says: /^Offered /,
    async arrange() {
      const { agent, body } = await withAgent(bookable());
      const { attendees, duration_minutes, title } = body;
      return () => agent.call('propose_times', { attendees, duration_minutes, title, idempotency_key });
    },
  },
  reschedule_meeting: {
    says: /^Moved to /,
    async arrange() {
      const { agent, ada, id } = await withAgent(booked());
      const wish = { meeting_id: id, requested_by: ada.email, reason: 'Later please', idempotency_key };
      return () => agent.call('reschedule_meeting', wish);
    },
  },
  cancel_meeting: {
    says: /^Cancelled /,
    async arrange() {
      const { agent, id } = await withAgent(booked());
      return () => agent.call('cancel_meeting', { meeting_id: id, idempotency_key });
    },
  },
};

describe.each(Object.entries(TOOLS))('%s', (_name, { says, arrange }) => {
  test.each(REDIS_STATES)('answers a retry with its key the same, with Redis $name', async ({ before, between }) => {
    const ask = await arrange();
    await before?.();
    const first = await ask();
    expect(first.text).toMatch(says);
    await between?.();
    expect(await ask()).toEqual(first);
  });
});
