import { describe, expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { metAsGuest, openInvitation, strangersAddress } from '../../support/people/guests.ts';
import { FORMER, placesOf } from '../../support/people/person-data.ts';
import { passUntil, propose, readProposal, withdraw } from '../../support/people/proposing.ts';
import { createClient } from '../../support/worlds/client.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const erase = (
  { api }: { api: { send: (method: string, path: string) => Promise<{ status: number; body: unknown }> } },
  email: string,
) => api.send('DELETE', `/v1/users/${encodeURIComponent(email)}`);

describe('erasing a guest on request of the platform', () => {
  test('leaves the meeting with a former user, which can only be cancelled', async () => {
    const { platform, ada, grace, meetingId, meeting } = await metAsGuest({
      change: { title: 'Grace and Ada', description: 'About GRACE@people.test' },
    });
    expect(await erase(platform, grace.email)).toMatchObject({
      status: 200,
      body: { success: true, email: grace.email },
    });
    const left = await meeting();
    expect(left.attendees).toEqual([ada.email, expect.stringMatching(FORMER)]);
    expect(await placesOf(grace.email)).toEqual(['deliveries.body']);
    const path = `/v1/meetings/${meetingId}`;
    const moved = { start_time: left.start_time, end_time: left.end_time };
    expect(await platform.api.send('PUT', path, moved)).toMatchObject(
      refusal(404, 'calendar_reconnect_required', { message: expect.stringContaining('only be cancelled') }),
    );
    expect((await platform.api.send('DELETE', path)).status).toBe(200);
    expect((await platform.api.send('GET', `/v1/users/${grace.email}/meetings`)).status).toBe(404);
    expect((await erase(platform, grace.email)).status).toBe(404);
    await expectPeace({ platforms: [platform], closed: new Set([ada.email]) });
  });

  test('ends the open proposals at once, and removes what the guest said', async () => {
    const { platform, guest, id, ada } = await openInvitation({ metadata: { who: 'x' } });
    await world.neon.query(
      "update proposals set guest_name = 'Grace', guest_time_zone = 'Europe/Paris' where id = $1",
      [id],
    );
    expect((await erase(platform, guest)).status).toBe(200);
    const ended = await readProposal(platform, id);
    expect(ended).toMatchObject({ status: 'withdrawn', attendees: [ada.email, expect.stringMatching(FORMER)] });
    expect(JSON.stringify(ended)).not.toMatch(/Grace|Paris/);
  });

  test('changes nothing on another platform, and nothing for a stranger', async () => {
    const { grace, platform, meeting } = await metAsGuest();
    const other = await openInvitation({}, { guest: grace.email });
    expect((await erase(other.platform, grace.email)).status).toBe(200);
    expect((await meeting()).attendees[1]).toBe(grace.email);
    expect(await erase(platform, strangersAddress())).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  });

  test('is refused for a person who has connected, also after they disconnected', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const bob = await connectedPerson(platform, { name: 'bob' });
    expect(await erase(platform, bob.email)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    await platform.api.disconnect(bob.email);
    expect((await erase(platform, bob.email)).status).toBe(403);
  });

  test('does not erase the same address when it is invited again', async () => {
    const { platform, guest, body } = await openInvitation();
    await erase(platform, guest);
    await quiet([platform]);
    const again = await platform.api.send('POST', '/v1/proposals', { ...body, title: 'Again' });
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({ attendees: [expect.any(String), guest] });
  });
});

describe('a guest’s address', () => {
  test('goes when no meeting and no proposal names the guest any more', async () => {
    const { platform, guest, id } = await openInvitation();
    await withdraw(platform, id);
    const ended = await readProposal(platform, id);
    await passUntil(new Date(Date.parse(ended.ended_at ?? '') + 30 * DAY).toISOString());
    await passUntil(new Date(world.clock.now()).toISOString());
    expect(await world.neon.query('select id from users where guest_email = $1', [guest])).toEqual([]);
  });

  test('goes when the person who was a guest deletes their account', async () => {
    const { platform, ada, grace, meeting } = await metAsGuest();
    const { api_key } = await world.connect(platform, grace.email);
    await platform.api.disconnect(grace.email);
    expect((await createClient(world.baseUrl, api_key).send('DELETE', '/v1/user')).status).toBe(200);
    const left = await meeting();
    expect(left.attendees).toEqual([ada.email, expect.stringMatching(FORMER)]);
    const moved = { start_time: left.start_time, end_time: left.end_time };
    expect((await platform.api.send('PUT', `/v1/meetings/${left.meeting_id}`, moved)).status).toBe(404);
    for (const address of [String(left.attendees[1]), 'guest-1@guest.invalid'])
      expect(
        await propose(platform, { attendees: [ada.email, address], duration_minutes: 30, title: 'A' }),
      ).toMatchObject({
        ...{ status: 404, body: { error: { code: 'user_not_found', message: expect.stringContaining('made it up') } } },
      });
    expect((await erase(platform, String(left.attendees[1]))).status).toBe(404);
  });
});
