import { expect, test } from 'vitest';
import { atDashboard, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { booked, inHours, iso } from '../../support/people/meetings.ts';
import { accept, proposed, proposing } from '../../support/people/proposing.ts';
import { readByTick } from '../../support/people/snapshots.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Ends a platform's access on the person's own page, while another platform keeps its own. */
async function leave(email: string, { id }: TestPlatform): Promise<void> {
  const { browser } = await world.signIn(email);
  await browser.submit(await visit(browser, `/me/disconnect?platform_id=${id}`), '/me/disconnect');
}

test('a proposal’s page and the dashboard show no zone to which the person moves after they left', async () => {
  const { platform, ada, body } = await proposing();
  const other = await freshPlatform({ plan: 'enterprise' });
  const { api_key } = await world.connect(other, ada.email);
  const proposal = await proposed(platform, body);
  const { meeting_id } = (await accept(platform, proposal.proposal_id, proposal.times[0]?.id)).body as {
    meeting_id: string;
  };
  await leave(ada.email, platform);
  const own = createClient(world.baseUrl, api_key);
  expect((await own.send('PUT', '/v1/user/preferences', { timezone: 'Asia/Tokyo' })).status).toBe(200);
  const page = await fetch(proposal.url, { headers: { 'cf-connecting-ip': '192.0.2.7' } });
  expect([page.status, (await page.text()).includes('Tokyo')]).toEqual([200, false]);
  const { browser } = await atDashboard(platform);
  const meeting = await visit(browser, `/dashboard/meetings/${meeting_id}`);
  expect([meeting.status, meeting.html.includes('Tokyo')]).toEqual([200, false]);
});

test('a platform learns of no change in the calendar after its access ended, and of it once it has access again', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  const other = await freshPlatform({ plan: 'enterprise' });
  await world.connectCalendar(other, ada.email);
  const meeting = await booked({ start: inHours(48), pair: { platform, ada, bob } });
  await readByTick(ada.email, bob.email);
  await leave(ada.email, platform);
  const before = (await webhooksOf(platform)).length;
  world.google.patchEvent({
    email: ada.email,
    eventId: meeting.eventId,
    start: iso(inHours(50)),
    end: iso(inHours(50.5)),
  });
  await world.google.settled();
  await readByTick(ada.email, bob.email);
  const told = (await webhooksOf(platform)).slice(before).map(({ body }) => body.event_type);
  expect(told.filter((type) => type !== 'user.calendar.disconnected')).toEqual([]);
  await world.connectCalendar(platform, ada.email);
  await readByTick(ada.email, bob.email);
  const after = (await webhooksOf(platform)).slice(before).map(({ body }) => body.event_type);
  expect(after).toContain('meeting.updated');
});
