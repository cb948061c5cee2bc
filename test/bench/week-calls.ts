/** Kinds of calls of Google's Calendar API, each with the requests that are of it. The first that fits counts. */
const KINDS: [name: string, method: string, path: RegExp][] = [
  ['free/busy', 'POST', /\/freeBusy$/],
  ['list of calendars', 'GET', /\/calendarList$/],
  ['settings', 'GET', /\/settings\//],
  ['channel opened', 'POST', /\/events\/watch$/],
  ['channel stopped', 'POST', /\/channels\/stop$/],
  ['changes to events', 'GET', /\/events$/],
  ['one event', 'GET', /\/events\/[^/]+$/],
];

/** Returns the kind of a call of the Calendar API, and undefined for any other call of Google. */
export function callKind({ method, url }: Request): string | undefined {
  const { pathname } = new URL(url);
  if (!pathname.startsWith('/calendar/')) return undefined;
  return KINDS.find(([, of, path]) => of === method && path.test(pathname))?.[0] ?? 'others';
}
