import { type Answer, type Behavior, EVENTS } from './behavior.ts';
import { EVENT_BEHAVIORS } from './events.ts';
import { FREE_BUSY } from './free-busy.ts';
import { LISTS } from './lists.ts';

interface FrontEndBody {
  errors?: { reason: string }[];
  status?: string;
  details?: { reason?: string }[];
}

function formOf({ status, body }: Answer) {
  const { errors, status: name, details } = (body.error ?? {}) as FrontEndBody;
  return [status, errors?.[0]?.reason, name, details?.[0]?.reason];
}

const REFUSALS: Behavior[] = [
  {
    title: "an error of the calendar has no `status` key: that is the front end's",
    evidence: 'documented (guide "Handle API errors"); seen by others (compass-calendar, issue 335)',
    expected: [404, 'notFound', undefined, undefined],
    play: async (hand) => formOf(await hand.call('GET', `${EVENTS}/${hand.id()}`)),
  },
  {
    title: 'a token that the front end does not know is 401, with `status` and `details`',
    evidence: 'seen by others (issues of client libraries); the reason in `details` varies',
    expected: [401, 'authError', 'UNAUTHENTICATED'],
    play: async (hand) => formOf(await hand.call('GET', EVENTS, { token: 'ya29.unknown' })).slice(0, 3),
  },
  {
    title: 'a method that the scopes do not allow is 403, with `ACCESS_TOKEN_SCOPE_INSUFFICIENT` in `details`',
    evidence: 'seen by others (GeneralTask/task-manager, pull request 2160)',
    expected: [403, 'insufficientPermissions', 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'],
    // The scopes of our consent do not allow this method.
    play: async (hand) => formOf(await hand.call('GET', '/calendars/primary')),
  },
];

/** Behaviors of Google that any account can show. */
export const BEHAVIORS: Behavior[] = [...FREE_BUSY, ...LISTS, ...EVENT_BEHAVIORS, ...REFUSALS];
