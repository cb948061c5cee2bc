import type { Act, Trace } from '../trace.ts';
import { SKEW_MS } from './meetings.ts';
import { groups, instant, type Told } from './told.ts';

type Search = Trace['shown']['searches'][number];

const TYPES = ['user.calendar.connected', 'user.calendar.disconnected', 'user.calendar.refresh_failed'];
const CONSENTS: Act['kind'][] = ['connected', 'consenting'];

/**
 * Each consent that went through is told once, nothing is told of a grant that nobody gave, ended or took away, and
 * whoever is connected in the end was told so last and can be searched.
 */
export function strangeGrants(trace: Trace, told: Told[]): string[] {
  const events = told.filter(({ type }) => TYPES.includes(type));
  return [
    ...untold(trace.acts, events),
    ...events.flatMap((event) => unasked(event, trace.acts)),
    ...groups(events, ({ platform, data }) => `${platform} ${data.user_email}`).flatMap(([, mine]) =>
      strangeEnd(mine, trace),
    ),
    ...trace.shown.searches.flatMap((search) => strangeSearch(search, trace)),
  ];
}

const isDuring = ({ clock, done }: Act, written: number) => clock - SKEW_MS <= written && written <= done + SKEW_MS;

/** Consents that went through, each of which is told to its platform and to every other that surely had one by then. */
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

/** What was told of a grant though no person did what leads to it. */
function unasked({ type, data, written }: Told, acts: Act[]): string[] {
  const theirs = acts.filter(({ email, clock }) => email === data.user_email && clock - SKEW_MS <= written);
  const isWhy: Record<string, (act: Act) => boolean> = {
    'user.calendar.connected': (act) => CONSENTS.includes(act.kind) && isDuring(act, written),
    'user.calendar.disconnected': ({ kind }) =>
      (data.reason === 'user_requested') === (kind === 'disconnecting') && !CONSENTS.includes(kind),
    'user.calendar.refresh_failed': isEnd,
  };
  return theirs.some((act) => isWhy[type]?.(act)) ? [] : [`${type} of ${data.user_email} was told and nobody did it`];
}

/** What is shown of one person to one platform is what was told last; the Worker's clock may have been put back. */
function strangeEnd(mine: Told[], { shown }: Trace): string[] {
  const [{ platform, data }] = mine as [Told];
  const email = data.user_email ?? '';
  const status = shown.connections.find((one) => one.platform === platform && one.email === email)?.status;
  const newest = Math.max(...mine.map(({ written }) => written));
  const last = mine.filter(({ written }) => written >= newest - SKEW_MS).map(({ type }) => type);
  const due = { connected: TYPES[0], needs_reauthorization: TYPES[2] }[status ?? ''] ?? TYPES[1];
  return last.includes(due ?? '') ? [] : [`${email} is shown as ${status} to ${platform} and was told ${last.join()}`];
}

/** Whoever is connected can be searched, and is offered no time that their calendars have busy. */
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
