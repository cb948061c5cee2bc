import { expect, test } from 'vitest';
import { connectAgent } from '../../support/people/agents.ts';
import { liveEvents } from '../../support/people/bookings.ts';
import { freshPair } from '../../support/people/meetings.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

async function scene() {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  return { agent, ada, args: { attendees: [ada.email, bob.email] } };
}

test('check_availability says how it read the words, and what to ask again', async () => {
  const { agent, args } = await scene();
  const { data, text } = await agent.call('check_availability', { ...args, when: 'after 3pm, an hour later' });
  expect(data).toMatchObject({ understood: [{ quote: 'after 3pm' }], not_understood: ['an hour later'] });
  expect(text).toContain('“an hour later” was not understood. Ask the person what it means.');
});

test.each(['schedule_auto', 'propose_times'])('%s does nothing by words of which none was understood', async (tool) => {
  const { agent, ada, args } = await scene();
  const more = tool === 'propose_times' ? { duration_minutes: 30, title: 'Talk' } : {};
  for (const preview of [true, false]) {
    const { text } = await agent.call(tool, { ...args, ...more, when: 'an hour later', preview });
    expect(text).toMatch(/^reason_unclear: .*“an hour later”/);
  }
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a confirmed preview books the previewed time that the words ask for', async () => {
  const { agent, ada, args } = await scene();
  const request = { ...args, when: 'after 3pm' };
  const { data } = await agent.call('schedule_auto', { ...request, preview: true });
  expect(data).toMatchObject({ status: 'preview', understood: [{ quote: 'after 3pm' }] });
  const booked = await agent.call('schedule_auto', { ...request, confirm_token: data.confirm_token });
  expect(booked.data).toMatchObject({ status: 'scheduled', start_utc: data.start_utc });
  expect(liveEvents(ada.email)).toHaveLength(1);
});
