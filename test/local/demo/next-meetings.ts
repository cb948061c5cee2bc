import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DateTime } from 'luxon';
import type { EventData } from '../../../schema/api/webhook-events/schemas.ts';
import { awaitWebhook, type Caller, isSigned, type Scene } from './story.ts';

type Completed = EventData<'meeting.scheduling.completed'>;

interface CalendarEvent {
  id: string;
  summary?: string;
  status: string;
  start: { dateTime: string };
}

const TITLE = 'Second interview';
const PATIENCE_MS = 30_000;

/** Plays what follows the first booking: Tandem picks a time itself, learns from the reason for a move, and cancels. */
export async function playNextMeetings(scene: Scene, attendees: string[]) {
  const picked = await pick(scene, attendees);
  const moved = await move(scene, picked, attendees);
  await cancel(scene, moved, attendees);
}

async function pick({ story, world, api, platform }: Scene, attendees: string[]): Promise<Completed> {
  story.chapter('Tandem picks the next time itself, in the background');
  const { job_id: id, status } = await api.scheduleAutomatically({ attendees, context: 'interview', title: TITLE });
  story.check(status === 'processing', `The request is accepted at once as ${id}`);
  const webhook = await awaitWebhook(world, 'meeting.scheduling.completed', id);
  story.check(isSigned(webhook, platform.webhook_secret ?? ''), 'A signed webhook brings the result');
  const result = JSON.parse(webhook.body_text).data as Completed;
  const job = await api.waitForJob(id);
  story.check(
    job.status === 'completed' && isDeepStrictEqual(job.result, result),
    'GET /v1/jobs returns the same result',
  );
  story.tell(result.agent_reasoning);
  const isThere = await standsOnBoth(world, attendees, result.chosen_slot.start_time);
  story.check(isThere, 'The meeting is on both calendars');
  return result;
}

async function move({ story, world, api }: Scene, picked: Completed, attendees: string[]): Promise<string> {
  const [, who = ''] = attendees;
  const { start_time: old } = picked.chosen_slot;
  const weekday = DateTime.fromISO(old, { setZone: true }).toFormat('cccc');
  const reason = `Can we avoid ${weekday}s? They are full for me.`;
  story.chapter(`${who} asks to move it: “${reason}”`);
  const { meeting_id: id } = picked;
  const moved = await api.rescheduleMeeting(id, { requested_by: who, reason });
  story.tell(moved.reasoning);
  story.tell(moved.learned_from);
  const day = DateTime.fromISO(moved.new_meeting_time, { setZone: true }).toFormat('cccc');
  story.check(day !== weekday, `It moved from ${weekday} to ${day}`);
  story.check(moved.learned_from.includes(weekday.toLowerCase()), `Tandem remembers what ${who} said for next time`);
  story.check(await standsOnBoth(world, attendees, moved.new_meeting_time), 'The same event moved on both calendars');
  const webhook = await awaitWebhook(world, 'meeting.scheduled', moved.new_meeting_id);
  story.check(
    JSON.parse(webhook.body_text).data.rescheduled_from === id,
    'A webhook told the platform which meeting it replaces',
  );
  return moved.new_meeting_id;
}

async function cancel({ story, world, api }: Scene, id: string, attendees: string[]) {
  story.chapter('The platform cancels it');
  const { status } = await api.cancelMeeting(id);
  story.check(status === 'cancelled', `${id} is cancelled`);
  await awaitWebhook(world, 'meeting.cancelled', id);
  story.check(true, 'A webhook reports it');
  const left = await Promise.all(attendees.map((email) => eventsOf(world, email)));
  story.check(
    left.every((events) => events.length === 0),
    'It is gone from both calendars',
  );
  const meeting = await api.getMeeting(id);
  story.check(meeting.status === 'cancelled', 'It can still be read');
}

async function standsOnBoth(world: Caller, attendees: string[], start: string): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100)) {
    const events = await Promise.all(attendees.map((email) => eventsOf(world, email)));
    const isThere = ([event, ...more]: CalendarEvent[]) =>
      event !== undefined && more.length === 0 && Date.parse(event.start.dateTime) === Date.parse(start);
    if (events.every(isThere)) return true;
  }
  return false;
}

async function eventsOf(world: Caller, email: string): Promise<CalendarEvent[]> {
  const { events } = await world.get<{ events: CalendarEvent[] }>(`/google/events?email=${email}`);
  return events.filter(({ summary, status }) => summary === TITLE && status !== 'cancelled');
}
