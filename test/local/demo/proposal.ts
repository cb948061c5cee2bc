import { DateTime } from 'luxon';
import { createBrowser } from '../browser.ts';
import type { Scene } from './story.ts';
import { awaitWebhook } from './webhooks.ts';

const GUEST = 'grace@elsewhere.test';

/**
 * Plays the last act: the platform offers times to somebody without a connected calendar, who chooses one on the page
 * of the proposal.
 */
export async function playProposal({ story, world, api, baseUrl }: Scene, requester: string) {
  story.chapter(`The platform offers times to ${GUEST}, who has connected no calendar`);
  await api.configureWebhook({ events: ['proposal.accepted'] });
  const attendees: [string, string] = [requester, GUEST];
  const wanted = { attendees, duration_minutes: 30, title: 'Third interview' };
  const { proposal_id: id, times, url } = await api.proposeTimes(wanted);
  for (const { reason } of times) story.tell(reason);
  story.check(times.length === 3, 'Three times are held until one is chosen');

  const browser = createBrowser([new URL(baseUrl).host]);
  const page = await browser.open(url ?? '');
  story.check(page.status === 200, `${GUEST} opens the link, without an account`);
  const done = await browser.submit(page, new URL(page.url).pathname, { name: 'Grace Hopper' });
  story.check(done.status === 200, 'They say their name and choose the first time');
  const { data } = JSON.parse((await awaitWebhook(world, 'proposal.accepted', id)).body_text);
  story.check(data.start_time === times[0]?.start_time, `A webhook brings the answer: ${dayOf(data.start_time)}`);
  const meeting = await api.getMeeting(data.meeting_id);
  story.check(meeting.start_time === data.start_time, 'The meeting is booked, and both are invited');
}

const dayOf = (time: string) => DateTime.fromISO(time, { zone: 'utc' }).toFormat('cccc d LLLL, HH:mm ZZZZ');
