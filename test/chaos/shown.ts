import { askedTitle, rootOf } from '../support/checks/edited-events.ts';
import type { TestPlatform } from '../support/people/factories.ts';
import { world } from '../support/worlds/world.ts';
import {
  type FinalEvent,
  homesOf,
  type Shown,
  type ShownBatch,
  type ShownMeeting,
  type ShownProposal,
  type Trace,
} from './trace.ts';

type Connection = { user_email: string; status: string };
type Search = Shown['searches'][number];
type Played = Pick<Trace, 'asks' | 'acts'>;

/** Asks the API for the final state: everybody's meetings, the proposals, the accepted jobs and batches, and the people who can be searched. */
export async function askForAll(platforms: TestPlatform[], people: string[], played: Played): Promise<Shown> {
  const all = await Promise.all(platforms.map((platform) => shownTo(platform, people, played)));
  return {
    meetings: all.flatMap(({ meetings }) => meetings),
    proposals: all.flatMap(({ proposals }) => proposals),
    batches: all.flatMap(({ batches }) => batches),
    jobs: all.flatMap(({ jobs }) => jobs),
    connections: all.flatMap(({ connections }) => connections),
    searches: all.flatMap(({ searches }) => searches),
  };
}

/**
 * Sends a request that may be repeated, and once more if it fails. A pooled connection may have died with the Worker that
 * the history killed last, and only a request shows that.
 */
export const again = <T>(send: () => Promise<T>): Promise<T> => send().catch(send);

const read = (api: TestPlatform['api'], path: string) => again(() => api.send('GET', path));

async function shownTo({ id: platform, api }: TestPlatform, people: string[], { asks, acts }: Played): Promise<Shown> {
  const lists = await Promise.all(
    people.map(async (email) => {
      const { status, body } = await read(api, `/v1/users/${encodeURIComponent(email)}/meetings?limit=100`);
      return status === 404 ? [] : (body as { meetings: ShownMeeting[] }).meetings;
    }),
  );
  const meetings = new Map(
    lists.flat().map((meeting) => {
      const { meeting_id: id, title } = meeting;
      return [id, { ...meeting, platform, title: askedTitle(title), shown_title: title }];
    }),
  );
  const { proposals } = (await read(api, '/v1/proposals?limit=200')).body as { proposals: ShownProposal[] };
  const accepted = asks.filter((ask) => ask.platform === platform && ask.operation === 'auto');
  const jobs = await Promise.all(
    idsIn(accepted, 'job_id').map(async (id) => {
      const job = (await read(api, `/v1/jobs/${id}`)).body as { status: string; result: unknown };
      return { platform, id, status: job.status, result: job.result };
    }),
  );
  const sent = asks.filter((ask) => ask.platform === platform && ask.operation === 'batch');
  const batches = await Promise.all(
    idsIn(sent, 'batch_id').map(async (id) => {
      const { body } = await read(api, `/v1/batches/${id}?limit=200`);
      return { ...(body as ShownBatch), platform };
    }),
  );
  const { connections } = (await read(api, '/v1/calendars?limit=100')).body as { connections: Connection[] };
  const here = connections.filter(({ status }) => status === 'connected').map(({ user_email }) => user_email);
  const searches = await Promise.all(
    here.slice(1).map(async (other): Promise<Search> => {
      const attendees = [here[0] ?? '', other];
      const { status, text } = await again(() => api.availability({ attendees }));
      return {
        platform,
        attendees,
        status,
        text,
        busy: attendees.flatMap((email) => homesOf({ acts }, email)).flatMap(busyOf),
      };
    }),
  );
  return {
    meetings: [...meetings.values()],
    proposals: proposals.map((proposal) => ({ ...proposal, platform, title: askedTitle(proposal.title) })),
    batches,
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

/** Returns the ids that the acceptances of requests gave in this field. */
const idsIn = (asks: Trace['asks'], field: string): string[] => {
  const texts = asks.flatMap(({ answers }) => answers.filter(({ status }) => status === 202).map(({ text }) => text));
  return [...new Set(texts.map((text) => String(JSON.parse(text)[field])))];
};

/** Returns our events that people organize, on these calendars of theirs, without those that are cancelled. */
const organized = (calendars: string[]) =>
  calendars.flatMap((calendar) =>
    world.google
      .events(calendar)
      .filter(({ organizer, status }) => organizer?.email === calendar && status !== 'cancelled'),
  );

/** Returns the answers to the events on these calendars, by event and address. */
export const answersIn = (calendars: string[]): Trace['answers'] =>
  Object.fromEntries(
    organized(calendars).map(({ id, attendees = [] }) => [
      id,
      Object.fromEntries(attendees.map(({ email, responseStatus }) => [email, responseStatus ?? 'needsAction'])),
    ]),
  );

/** Returns what the events on these calendars show, without series. */
export const eventsIn = (calendars: string[]): FinalEvent[] =>
  organized(calendars).flatMap(({ id, recurrence, recurringEventId, ...event }) =>
    recurrence || recurringEventId
      ? []
      : {
          eventId: rootOf(id ?? ''),
          title: event.summary ?? '',
          location: event.location ?? undefined,
          link: event.hangoutLink ?? null,
          start: timeOf(event.start),
          end: timeOf(event.end),
          guests: (event.attendees ?? []).flatMap(({ email }) => email ?? []),
        },
  );

/** All people of a history live by UTC, so their days begin at its midnight. */
const timeOf = (time: { dateTime?: string | null; date?: string | null } | null | undefined) =>
  Date.parse(time?.dateTime ?? time?.date ?? '');
