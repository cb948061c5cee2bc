import type { Act, Trace } from '../trace.ts';
import { SKEW_MS } from './meetings.ts';
import { groups, instant, type Told } from './told.ts';

type Search = Trace['shown']['searches'][number];

const TYPES = ['user.calendar.connected', 'user.calendar.disconnected', 'user.calendar.refresh_failed'];
const CONSENTS: Act['kind'][] = ['connected', 'consenting'];

/**
 * Checks the events about grants.
 * - Each successful consent is reported once.
 * - No event is about a grant that nobody gave, ended or revoked, and none is repeated.
 * - The last event about each person who is connected at the end says so, and a search for that person succeeds.
 */
export function strangeGrants(trace: Trace, told: Told[]): string[] {
  const events = told.filter(({ type }) => TYPES.includes(type));
  return [
    ...untold(trace.acts, events),
    ...events.flatMap((event) => unasked(event, trace.acts)),
    ...toldAgain(trace.acts, events),
    ...groups(events, ({ platform, data }) => `${platform} ${data.user_email}`).flatMap(([, mine]) =>
      strangeEnd(mine, trace),
    ),
    ...trace.shown.searches.flatMap((search) => strangeSearch(search, trace)),
  ];
}

const isDuring = ({ clock, done }: Act, written: number) => clock - SKEW_MS <= written && written <= done + SKEW_MS;

/**
 * Returns the successful consents that lack an event to their own platform, or to another platform that surely had a
 * connection by then.
 */
function untold(acts: Act[], events: Told[]): string[] {
  const consents = acts.filter(({ kind }) => kind === 'connected');
  const hasAccess = (platform: string | undefined, { email, clock, done }: Act) => {
    const theirs = acts.filter((act) => act.email === email);
    const isIn = theirs.some((act) => act.kind === 'connected' && act.platform === platform && act.done <= clock);
    return isIn && !theirs.some((act) => isEnd(act) && act.clock <= done);
  };
  return groups(consents, ({ email, platform }) => `${email} ${platform}`).flatMap(([name, [first]]) => {
    if (first === undefined) return [];
    const { email, platform } = first;
    const due = consents.filter(
      (act) => act.email === email && (act.platform === platform || hasAccess(platform, act)),
    );
    const told = events.filter(
      (event) =>
        event.type === 'user.calendar.connected' && event.platform === platform && event.data.user_email === email,
    );
    return told.length >= due.length ? [] : [`${name}: ${due.length} consents, told ${told.length} times`];
  });
}

const isEnd = ({ kind }: Act) => kind === 'revoked' || kind === 'disconnecting';

function leadsTo({ type, data, platform }: Told, act: Act, acts: Act[]): boolean {
  if (act.email !== data.user_email) return false;
  if (type === 'user.calendar.connected') return CONSENTS.includes(act.kind) && mayHaveAccess(platform, act, acts);
  if (type === 'user.calendar.refresh_failed') return isEnd(act);
  return act.kind === (data.reason === 'user_requested' ? 'disconnecting' : 'revoked');
}

/** Returns true if a consent may have given this platform access, even if it only ended after another consent began. */
const mayHaveAccess = (platform: string, act: Act, acts: Act[]) =>
  act.platform === platform ||
  acts.some(
    ({ kind, email, clock, ...one }) =>
      CONSENTS.includes(kind) && email === act.email && one.platform === platform && clock < act.done,
  );

function unasked(event: Told, acts: Act[]): string[] {
  const { type, data, written } = event;
  const isThen = (act: Act) =>
    type === 'user.calendar.connected' ? isDuring(act, written) : act.clock - SKEW_MS <= written;
  const isAsked = acts.some((act) => isThen(act) && leadsTo(event, act, acts));
  return isAsked ? [] : [`${type} of ${data.user_email} was told and nobody did it`];
}

/** Returns the events about a grant that one platform received more often than a person's acts explain. */
function toldAgain(acts: Act[], events: Told[]): string[] {
  const nameOf = ({ type, platform, data }: Told) =>
    `${type} ${data.reason ?? ''} of ${data.user_email} to ${platform}`;
  return groups(events, nameOf).flatMap(([name, mine]) => {
    const causes = acts.filter((act) => leadsTo(mine[0] as Told, act, acts));
    return mine.length <= causes.length ? [] : [`${name}: done ${causes.length} times, told ${mine.length} times`];
  });
}

/**
 * Checks that the final state of a person on a platform matches the platform's last event. The Worker's clock may have
 * been set back.
 */
function strangeEnd(mine: Told[], { shown }: Trace): string[] {
  const [{ platform, data }] = mine as [Told];
  const email = data.user_email ?? '';
  const status = shown.connections.find((one) => one.platform === platform && one.email === email)?.status;
  const newest = Math.max(...mine.map(({ written }) => written));
  const last = mine.filter(({ written }) => written >= newest - SKEW_MS).map(({ type }) => type);
  const due = { connected: TYPES[0], needs_reauthorization: TYPES[2] }[status ?? ''] ?? TYPES[1];
  return last.includes(due ?? '') ? [] : [`${email} is shown as ${status} to ${platform} and was told ${last.join()}`];
}

/** Checks that every connected person can be searched, and that no slot lies in their calendar's busy time. */
function strangeSearch({ attendees, platform, status, text, busy }: Search, { closed }: Trace): string[] {
  if (attendees.some((email) => closed.includes(email))) return [];
  if (status !== 200) return [`${attendees} cannot be searched by ${platform}: ${text}`];
  const { slots } = JSON.parse(text) as { slots: { start_time: string; end_time: string }[] };
  return slots
    .filter((slot) =>
      busy.some(({ start, end }) => instant(slot.start_time) < instant(end) && instant(start) < instant(slot.end_time)),
    )
    .map(({ start_time }) => `${attendees} are offered ${start_time}, when one of them is busy`);
}
