import { createClient } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPlatform } from './factories.ts';

/**
 * Connects Ada with two platforms and gives her three calendars and a key. `teach` has the service learn from a text of
 * hers and from a meeting she moves.
 */
export async function adaWithTwo() {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/Berlin' });
  const bob = await connectedPerson(platform, { name: 'bob', timezone: 'Europe/Berlin' });
  const other = await freshPlatform({ name: 'Acme & Sons' });
  const { api_key } = await world.connect(other, email);
  world.google.addCalendar({ owner: email, summary: 'Family' });
  world.google.addCalendar({ owner: email, summary: 'Football of the year, with everybody whose name I cannot spell' });
  const own = createClient(world.baseUrl, api_key);
  return {
    platform,
    email,
    own,
    async teach() {
      await own.send('PUT', '/v1/user/preferences', { scheduling_context: 'No meetings on Mondays. I like mornings.' });
      const { body } = await platform.api.send('POST', '/v1/availability', { attendees: [email, bob.email] });
      const [slot] = (body as { slots: { start_time: string }[] }).slots;
      const booked = await platform.api.schedule({
        attendees: [email, bob.email],
        start_time: slot?.start_time,
        duration_minutes: 30,
        title: 'Coffee',
      });
      const { meeting_id } = booked.body as { meeting_id: string };
      const asked = { meeting_id, requested_by: email, reason: 'That is too early, and back-to-back.' };
      await platform.api.send('POST', `/v1/meetings/${meeting_id}/reschedule`, asked);
    },
  };
}
