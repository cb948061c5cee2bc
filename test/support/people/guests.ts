import { randomUUID } from 'node:crypto';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from './factories.ts';
import { accept, bodyFor, proposed, subscribe } from './proposing.ts';

/** Makes an address that nobody has connected to any platform. */
export const strangersAddress = () => `grace.hopper-${randomUUID().slice(0, 8)}@elsewhere.test`;

interface Options {
  guest?: string;
  platform?: TestPlatform;
}

/** Creates a platform that receives every event, a connected requester, and the body of a proposal for a guest. */
export async function invited({ guest = strangersAddress(), platform: given }: Options = {}) {
  const platform = given ?? (await freshPlatform({ plan: 'enterprise' }));
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
  await subscribe(platform);
  return { platform, ada, guest, body: { ...bodyFor({ ada, bob: { email: guest } }) } };
}

/** Makes an open proposal for a guest, changed as given. */
export async function openInvitation(change: object = {}, options: Options = {}) {
  const scene = await invited(options);
  const proposal = await proposed(scene.platform, { ...scene.body, ...change });
  return { ...scene, proposal, id: proposal.proposal_id };
}

/** Makes a proposal for somebody who has a calendar and is not connected, and accepts its first time. */
export async function metAsGuest(options: { timezone?: string; guest?: GivenByGuest; change?: object } = {}) {
  const grace = freshPerson({ name: 'grace', timezone: options.timezone ?? 'Europe/Paris' });
  const scene = await openInvitation(options.change, { guest: grace.email });
  const [time] = scene.proposal.times;
  const answer = await accept(scene.platform, scene.id, time?.id);
  if (answer.status !== 200) throw new Error(answer.text);
  const { meeting_id: meetingId } = answer.body as { meeting_id: string };
  const [row] = await world.neon.query('select provider_event_id from meetings where id = $1', [meetingId]);
  const eventId = String(row?.provider_event_id);
  if (options.guest?.timeZone !== undefined)
    await world.neon.query('update meeting_people set guest_time_zone = $2 where meeting_id = $1 and position = 1', [
      meetingId,
      options.guest.timeZone,
    ]);
  const meeting = async () => (await scene.platform.api.send('GET', `/v1/meetings/${meetingId}`)).body as MeetingBody;
  return { ...scene, grace, meetingId, eventId, start: Date.parse(time?.start_time ?? ''), meeting };
}

interface GivenByGuest {
  timeZone?: string;
}

/** A meeting as the API answers it. */
export interface MeetingBody {
  meeting_id: string;
  status: string;
  start_time: string;
  end_time: string;
  attendees: string[];
  attendee_details?: { email: string; connected: boolean; time_zone?: string }[];
  rsvps: { email: string; response_status: string }[];
}

/** Returns what `attendee_details` says about these people: who is connected. */
export const details = (...people: [email: string, connected: boolean][]) =>
  people.map(([email, connected]) => ({ email, connected }));
