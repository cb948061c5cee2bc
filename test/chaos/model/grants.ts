import type { Act, Trace } from '../trace.ts';
import { SKEW_MS } from './meetings.ts';
import { groups, type Told } from './told.ts';

const TYPES = ['user.calendar.connected', 'user.calendar.disconnected', 'user.calendar.refresh_failed'];
const CONSENTS: Act['kind'][] = ['connected', 'consenting'];

/**
 * Each consent that went through is told once, nothing is told of a grant that nobody gave, ended or took away, and
 * whoever is connected in the end was told so last and can be searched.
 */
export function strangeGrants(trace: Trace, told: Told[]): string[] {
  const events = told.filter(({ type }) => TYPES.includes(type));
  return [
    ...trace.acts.flatMap((act) => untold(act, events)),
    ...events.flatMap((event) => unasked(event, trace.acts)),
    ...groups(events, ({ platform, data }) => `${platform} ${data.user_email}`).flatMap(([, mine]) =>
      strangeEnd(mine, trace),
    ),
    ...trace.shown.searches.flatMap(({ attendees, platform, status, text }) =>
      status === 200 || attendees.some((email) => trace.closed.includes(email))
        ? []
        : [`${attendees} cannot be searched by ${platform}: ${text}`],
    ),
  ];
}

const isDuring = ({ clock, done }: Act, written: number) => clock - SKEW_MS <= written && written <= done + SKEW_MS;

/** A consent that went through and of which its platform was told nothing. */
function untold(act: Act, events: Told[]): string[] {
  if (act.kind !== 'connected') return [];
  const isTold = events.some(
    ({ type, platform, data, written }) =>
      type === 'user.calendar.connected' &&
      platform === act.platform &&
      data.user_email === act.email &&
      isDuring(act, written),
  );
  return isTold ? [] : [`${act.email} consented to ${act.platform} and nobody was told`];
}

/** What was told of a grant though no person did what leads to it. */
function unasked({ type, data, written }: Told, acts: Act[]): string[] {
  const theirs = acts.filter(({ email, clock }) => email === data.user_email && clock - SKEW_MS <= written);
  const isWhy: Record<string, (act: Act) => boolean> = {
    'user.calendar.connected': (act) => CONSENTS.includes(act.kind) && isDuring(act, written),
    'user.calendar.disconnected': ({ kind }) =>
      (data.reason === 'user_requested') === (kind === 'disconnecting') && !CONSENTS.includes(kind),
    'user.calendar.refresh_failed': ({ kind }) => kind === 'revoked' || kind === 'disconnecting',
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
