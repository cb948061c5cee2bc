import { world } from '../worlds/world.ts';
import { freshPair, inHours } from './meetings.ts';

/** Creates a platform and two people with empty calendars, and the body that books them two days from now. */
export async function bookable({ plan = 'enterprise' } = {}) {
  const { platform, ada, bob } = await freshPair(plan);
  const start = new Date(inHours(48));
  const body = {
    attendees: [ada.email, bob.email],
    start_time: start.toISOString(),
    duration_minutes: 30,
    title: 'Intro',
  };
  return { platform, ada, bob, body, start };
}

/** Returns a start time some hours after the body's, for a second meeting of the same two people. */
export const hoursLater = (start: Date, hours: number) => new Date(start.getTime() + hours * 3_600_000).toISOString();

/** Lists the person's events that are not cancelled. */
export const liveEvents = (email: string) => world.google.events(email).filter(({ status }) => status !== 'cancelled');

/** Moves the clock and runs everything due in the minute's tick and the queue. */
export async function pass(seconds: number): Promise<void> {
  await world.advance(seconds * 1_000);
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
}
