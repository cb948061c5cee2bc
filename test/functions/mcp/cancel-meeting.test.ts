import { expect, test } from 'vitest';
import { connectAgent, GENERATIONS, onClocks } from '../../support/people/agents.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked, eventOf } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const TOOL = 'cancel_meeting';

test.each(GENERATIONS)(
  'a preview cancels nothing, its confirmation does, once, for clients of %s',
  async (generation) => {
    const { platform, ada, bob, id, eventId, start, end } = await booked();
    const agent = await connectAgent(platform.secret_key, { generation });
    const preview = await agent.call(TOOL, { meeting_id: id, preview: true });
    const shown = { meeting_id: id, title: 'Intro', ...onClocks(start, end, [ada, bob]) };
    expect(preview.data).toMatchObject({ status: 'preview', ...shown });
    expect(eventOf(ada, eventId)?.status).toBe('confirmed');
    const { confirm_token } = preview.data;
    const cancelled = await agent.call(TOOL, { meeting_id: id, confirm_token });
    expect(cancelled.data).toEqual({ status: 'cancelled', ...shown, calendar_event: 'deleted' });
    expect(cancelled.text).toContain('Its event was removed from both calendars.');
    expect(eventOf(ada, eventId)?.status ?? 'cancelled').toBe('cancelled');
    expect(await agent.call(TOOL, { meeting_id: id, confirm_token })).toEqual(cancelled);
    const again = await agent.call(TOOL, { meeting_id: id });
    expect(again.text).toMatch(/^meeting_not_found: /);
    expect((await agent.call(TOOL, { meeting_id: id, preview: true })).text).toMatch(/^meeting_not_found: /);
  },
);

test('the event stays where the calendar is closed to the platform', async () => {
  const { platform, ada, id } = await booked();
  const agent = await connectAgent(platform.secret_key);
  await platform.api.disconnect(ada.email);
  const { data, text } = await agent.call(TOOL, { meeting_id: id });
  expect(data).toMatchObject({ status: 'cancelled', calendar_event: 'kept' });
  expect(data.local[0]).toEqual({ email: ada.email });
  expect(text).toContain('Its event stays on the calendar');
});

test("another platform's meeting is refused", async () => {
  const { ada, id, eventId } = await booked();
  const agent = await connectAgent((await freshPlatform()).secret_key);
  for (const preview of [true, false])
    expect((await agent.call(TOOL, { meeting_id: id, preview })).text).toBe(
      'forbidden: Another platform created this meeting, so you cannot read or change it. Use the ID of a meeting that your platform booked.',
    );
  expect(eventOf(ada, eventId)?.status).toBe('confirmed');
});

test('an unknown outcome in the calendar is reported, with what to do', async () => {
  const { platform, id } = await booked();
  const agent = await connectAgent(platform.secret_key);
  world.faults.add({ target: 'google', match: 'DELETE /calendar/v3', mode: 'reset' });
  const { text, isError } = await agent.call(TOOL, { meeting_id: id });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(
      /^calendar_unavailable: .* Tandem will finish or undo the change within minutes\. You can safely send the same request again in a minute\./,
    ),
  ]);
});
