import type { TestPlatform } from '../support/people/factories.ts';
import { world } from '../support/worlds/world.ts';
import type { Ask, Shown, ShownMeeting } from './trace.ts';

type Connection = { user_email: string; status: string };
type Search = Shown['searches'][number];

/** Asks the API for the final state: everybody's meetings, the accepted jobs, and the people who can be searched. */
export async function askForAll(platforms: TestPlatform[], people: string[], asks: Ask[]): Promise<Shown> {
  const all = await Promise.all(platforms.map((platform) => shownTo(platform, people, asks)));
  return {
    meetings: all.flatMap(({ meetings }) => meetings),
    jobs: all.flatMap(({ jobs }) => jobs),
    connections: all.flatMap(({ connections }) => connections),
    searches: all.flatMap(({ searches }) => searches),
  };
}

async function shownTo({ id: platform, api }: TestPlatform, people: string[], asks: Ask[]): Promise<Shown> {
  const lists = await Promise.all(
    people.map(async (email) => {
      const { status, body } = await api.send('GET', `/v1/users/${encodeURIComponent(email)}/meetings?limit=100`);
      return status === 404 ? [] : (body as { meetings: ShownMeeting[] }).meetings;
    }),
  );
  const meetings = new Map(lists.flat().map((meeting) => [meeting.meeting_id, { ...meeting, platform }]));
  const accepted = asks.filter((ask) => ask.platform === platform && ask.operation === 'auto');
  const jobs = await Promise.all(
    [...new Set(accepted.flatMap(jobsOf))].map(async (id) => {
      const job = (await api.send('GET', `/v1/jobs/${id}`)).body as { status: string; result: unknown };
      return { platform, id, status: job.status, result: job.result };
    }),
  );
  const { connections } = (await api.send('GET', '/v1/calendars?limit=100')).body as { connections: Connection[] };
  const here = connections.filter(({ status }) => status === 'connected').map(({ user_email }) => user_email);
  const searches = await Promise.all(
    here.slice(1).map(async (other): Promise<Search> => {
      const attendees = [here[0] ?? '', other];
      const { status, text } = await api.availability({ attendees });
      return { platform, attendees, status, text, busy: attendees.flatMap(busyOf) };
    }),
  );
  return {
    meetings: [...meetings.values()],
    jobs,
    connections: connections.map(({ user_email: email, status }) => ({ platform, email, status })),
    searches,
  };
}

const DAYS = 400 * 86_400_000;

/** Returns the busy times that the provider has for a calendar, ignoring every fault. */
const busyOf = (calendar: string) => {
  const [start, end] = [world.clock.now(), world.clock.now() + DAYS].map((ms) => new Date(ms).toISOString());
  return world.google.busy({ calendar, start: start ?? '', end: end ?? '' });
};

const jobsOf = ({ answers }: Ask) =>
  answers.flatMap(({ status, text }) => (status === 202 ? [String(JSON.parse(text).job_id)] : []));

/** What the events that these people organize have as answers, by event and address. */
export const answersIn = (people: string[]): Record<string, Record<string, string>> =>
  Object.fromEntries(
    people
      .flatMap((email) => world.google.events(email).filter(({ organizer }) => organizer?.email === email))
      .filter(({ status }) => status !== 'cancelled')
      .map(({ id, attendees = [] }) => [
        id,
        Object.fromEntries(attendees.map(({ email, responseStatus }) => [email, responseStatus ?? 'needsAction'])),
      ]),
  );
