import { TTL_SECONDS as CONSENT_SECONDS } from '../../../lib/calendars/connect/authorization-request.ts';
import type { ConsentRefusal } from '../../../lib/calendars/connect/commit-connection.ts';
import { REAUTHORIZE_WITHIN_MS } from '../../../lib/calendars/grants/end-connections.ts';
import { SERVED_FOR_MS } from '../../../lib/calendars/snapshot/timing.ts';
import { MOST_RETRY_AFTER_SECONDS, RETRIES, TIMEOUT_SECONDS } from '../../../lib/client/call.ts';
import { JOB_SECONDS } from '../../../lib/client/requests.ts';
import { CONTEXTS } from '../../../lib/engine/rank/contexts.ts';
import { CARRIED_DAYS } from '../../../lib/engine/rank/fairness.ts';
import { MOST_SLOTS } from '../../../lib/engine/rank/find-slots.ts';
import { COMMON_PARTS, PERSON_PARTS, SPREAD } from '../../../lib/engine/rank/parts.ts';
import { type RuleName, ranking } from '../../../lib/engine/rank/score.ts';
import { DEFAULT_WINDOW_DAYS } from '../../../lib/engine/rules/defaults.ts';
import { NOTICE } from '../../../lib/engine/rules/free-time.ts';
import { DAY, DAY_MINUTES, MINUTE } from '../../../lib/engine/time/dates.ts';
import { HORIZON_DAYS, LONGEST_DAYS } from '../../../lib/engine/time/window.ts';
import { KEPT_MS, STAYS, sayKept } from '../../../lib/kit/kept-for.ts';
import { PERMISSIONS } from '../../../lib/kit/permissions.ts';
import { KEYLESS_REQUESTS_PER_MINUTE, PLANS, USER_REQUESTS_PER_MINUTE } from '../../../lib/kit/plans.ts';
import { WAIT_MS } from '../../../lib/meetings/index.ts';
import { AGENT_DAYS, MOST_AGENTS } from '../../../lib/people/agents.ts';
import { MINUTES as CONFIRM_MINUTES } from '../../../lib/tools/confirmation.ts';
import { toolsFor } from '../../../lib/tools/tools.ts';
import { WARNED_FROM } from '../../../lib/usage/usage.ts';
import { RETRY_DELAYS_SECONDS } from '../../../lib/webhooks/deliver.ts';
import { OVERLAP_MS } from '../../../lib/webhooks/endpoint.ts';
import { MOST_AT_ONCE, REPLAYS_PER_HOUR } from '../../../lib/webhooks/replay.ts';
import { LARGEST_BODY, MOST_MEETINGS, USUAL_PAGE as USUAL_BATCH_PAGE } from '../../../schema/api/batches.ts';
import { MOST_STATE } from '../../../schema/api/calendars.ts';
import { GIVEN_MINUTES, SEARCHED_MINUTES, USUAL_MINUTES } from '../../../schema/api/fields.ts';
import { KEPT_HOURS } from '../../../schema/api/keys.ts';
import { LONGEST_KEY, LONGEST_VALUE, MOST_PAIRS } from '../../../schema/api/metadata.ts';
import { LARGEST_PAGE, USUAL_PAGE } from '../../../schema/api/paging.ts';
import { MOST_REDIRECT_URIS } from '../../../schema/api/platform.ts';
import { EXPIRY_HOURS, MOST_OPEN, MOST_TIMES, USUAL_HOURS, USUAL_TIMES } from '../../../schema/api/proposals.ts';
import { MOST_RANGES } from '../../../schema/api/reading.ts';
import { BY_NAME, DEFAULT_EVENTS } from '../../../schema/api/webhook-events.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../../../schema/api/webhooks.ts';
import { LARGEST_BYTES } from '../../http/body.ts';
import { CLIENT_PATH, type OpenapiDocument } from '../../http/files.ts';
import { LONGEST_KEY as LONGEST_IDEMPOTENCY_KEY } from '../../http/headers.ts';
import { either, placeholder } from '../prerendered.ts';
import { tableOf } from './markdown.ts';
import { eventsTable } from './reference.ts';
import { bestOfDay } from './week-figure.tsx';

const number = (value: number | null) => (value === null ? 'unlimited' : value.toLocaleString('en'));
const range = ([least, most]: readonly [number, number]) => `${least} to ${number(most)}`;
const coded = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

const email = placeholder('SUPPORT_EMAIL');

/** Values that live in code, by the name that a page writes between double braces. */
export const VALUES: Readonly<Record<string, string>> = {
  contact: either('SUPPORT_EMAIL', `write to [${email}](mailto:${email})`, 'contact us'),
  client: placeholder('BASE_URL') + CLIENT_PATH,
  largest_batch: number(MOST_MEETINGS),
  largest_batch_body: `${LARGEST_BODY / 1024 / 1024} MiB`,
  largest_body: `${LARGEST_BYTES / 1024} KiB`,
  searched_minutes: range(SEARCHED_MINUTES),
  given_minutes: range(GIVEN_MINUTES),
  longest_search_days: number(LONGEST_DAYS),
  most_slots: number(MOST_SLOTS),
  window_days: number(DEFAULT_WINDOW_DAYS),
  notice_minutes: number(NOTICE / MINUTE),
  most_times: number(MOST_TIMES),
  most_ranges: number(MOST_RANGES),
  usual_times: number(USUAL_TIMES),
  expiry_hours: range(EXPIRY_HOURS),
  open_of_person: number(MOST_OPEN.ofPerson),
  held_hours: number(MOST_OPEN.heldHours),
  held_minutes: number(MOST_OPEN.leastMinutes),
  open_of_pair: number(MOST_OPEN.ofPair),
  metadata_pairs: number(MOST_PAIRS),
  metadata_key: number(LONGEST_KEY),
  metadata_value: number(LONGEST_VALUE),
  largest_page: number(LARGEST_PAGE),
  redirect_uris: number(MOST_REDIRECT_URIS),
  state_length: number(MOST_STATE),
  user_rate: number(USER_REQUESTS_PER_MINUTE),
  keyless_rate: number(KEYLESS_REQUESTS_PER_MINUTE),
  agent_days: number(AGENT_DAYS),
  most_agents: number(MOST_AGENTS),
  fairness_days: number(CARRIED_DAYS),
  default_events: number(DEFAULT_EVENTS.length),
  named_events: coded(BY_NAME),
  webhook_timeout: number(LONGEST_TIMEOUT_SECONDS),
  first_retry: number(RETRY_DELAYS_SECONDS[0]),
  second_retry: number(RETRY_DELAYS_SECONDS[1]),
  replay_most: number(MOST_AT_ONCE),
  replays_per_hour: number(REPLAYS_PER_HOUR),
  secret_overlap: sayKept(OVERLAP_MS),
  confirm_minutes: number(CONFIRM_MINUTES),
  keep_old_hours: range(KEPT_HOURS),
  idempotency_key_length: number(LONGEST_IDEMPOTENCY_KEY),
  idempotency_wait: number(WAIT_MS / 1_000),
  usage_warning: `${WARNED_FROM * 100}%`,
  horizon_days: number(HORIZON_DAYS),
  usual_page: number(USUAL_PAGE),
  usual_batch_page: number(USUAL_BATCH_PAGE),
  client_retries: number(RETRIES),
  client_pause: number(MOST_RETRY_AFTER_SECONDS),
  client_timeout: number(TIMEOUT_SECONDS),
  client_job_wait: number(JOB_SECONDS),
  fresh_minutes: number(SERVED_FOR_MS / MINUTE),
  consent_minutes: number(CONSENT_SECONDS / 60),
  reconnect_days: number(REAUTHORIZE_WITHIN_MS / DAY),
  usual_minutes: number(USUAL_MINUTES),
  usual_expiry: number(USUAL_HOURS),
  platform_tools: coded(toolsFor('platform').map(({ name }) => name)),
  best_of_day: bestOfDay(),
  person_tools: coded(toolsFor('user').map(({ name }) => name)),
  ...Object.fromEntries(Object.entries(KEPT_MS).map(([what, ms]) => [`kept_${what}`, sayKept(ms)])),
};

const pairs = (rows: Readonly<Record<string, string | readonly string[]>>) =>
  Object.entries(rows).map(([name, cells]) => [`\`${name}\``, ...[cells].flat()]);

const SIZES = {
  'Minutes of a meeting': `${VALUES.searched_minutes} searched, ${VALUES.given_minutes} at a given time`,
  'Meetings of a batch': VALUES.largest_batch,
  'Open proposals of a person': VALUES.open_of_person,
  'Hours of a person that they hold': `${VALUES.held_hours}, each time as ${VALUES.held_minutes} minutes or more, with buffers`,
  'Open proposals of a pair': VALUES.open_of_pair,
  'Body of a request': `${VALUES.largest_body}, of a batch ${VALUES.largest_batch_body}`,
};

export const tablesOf = (document: OpenapiDocument): Readonly<Record<string, string>> => ({
  plans: tableOf(
    ['Plan', 'Meetings per month', 'Requests per minute'],
    Object.entries(PLANS).map(([name, { meetingsPerMonth, requestsPerMinute }]) => [
      `\`${name}\``,
      number(meetingsPerMonth),
      number(requestsPerMinute),
    ]),
  ),
  sizes: tableOf(
    ['What', 'At most'],
    Object.entries(SIZES).map(([what, limit = '']) => [what, limit]),
  ),
  retention: tableOf(
    ['What', 'Kept'],
    [
      ['People, preferences, what was learned', 'until they delete their account'],
      ['Meetings', 'as long as your platform exists'],
      ['Jobs', `${sayKept(KEPT_MS.jobs)} after their end`],
      ['Batches', `${sayKept(KEPT_MS.batches)} after their end`],
      ['Proposals', `${sayKept(KEPT_MS.proposals)} after their end, or the end of their meeting`],
      ['Webhook deliveries', sayKept(KEPT_MS.deliveries)],
      ['Answers under an `Idempotency-Key`', sayKept(KEPT_MS.answersUnderKeys)],
      ['Audit log', sayKept(KEPT_MS.auditLog)],
    ],
  ),
  permissions: tableOf(
    ['Permission', 'Tandem'],
    PERMISSIONS.map(({ scope, does, isNeeded }) => [
      `\`${scope.replace('https://www.googleapis.com/auth/', '')}\`${isNeeded ? '' : ' (optional)'}`,
      does,
    ]),
  ),
  stays: tableOf(
    ['What stays', 'Kept'],
    STAYS.map(({ what, kept }) => [what, kept]),
  ),
  connect_errors: tableOf(['`error`', 'What happened', 'What to tell the person'], pairs(CONNECT_ERRORS)),
  test_people: tableOf(['Address', 'Their calendar'], pairs(TEST_PEOPLE)),
  factors: tableOf(
    ['Factor', '×', 'When the meeting'],
    ranking
      .toSorted((one, other) => other.multiplier - one.multiplier)
      .map(({ name, multiplier }) => [`\`${name}\``, multiplier, APPLIES[name]]),
  ),
  // The parts of merit, as `lib/engine/rank/parts.ts` has them: for each person, then those that count once for both.
  parts: tableOf(
    ['Part', '×', 'When the meeting'],
    [
      ...PERSON_PARTS.map(({ name, number, when }) => [`\`${name}\``, number, when] as const),
      ...Object.entries(COMMON_PARTS).map(([name, { number, when }]) => [`\`${name}\``, number, when] as const),
    ],
  ),
  spread: tableOf(
    ['Spread', '×', 'When the meeting'],
    Object.entries(SPREAD).map(([name, { number, when }]) => [name.replaceAll('_', ' '), number, when]),
  ),
  contexts: tableOf(
    ['At least', 'For a `context` of'],
    [...Map.groupBy(Object.entries(CONTEXTS), ([, { notice }]) => notice)]
      .sort(([one], [other]) => one - other)
      .map(([notice, contexts]) => [written(notice), coded(contexts.map(([name]) => name))]),
  ),
  events: eventsTable(document),
});

function written(minutes: number): string {
  if (minutes % DAY_MINUTES === 0) return `${minutes / DAY_MINUTES} day`;
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

const APPLIES: Record<RuleName, string> = {
  mid_morning: 'starts 10:00–10:59 for the requester',
  recency: 'starts within 72 hours',
  lunch_hour: 'overlaps 12:00–13:00 for either',
  friday_afternoon: 'starts on Friday at 14:00 or later for either',
  timezone_fairness: 'begins before 8:00 or ends after 18:00 for either',
};

/** Values of `error` with which a person returns to a platform: the cause, and advice for the person. */
export const CONNECT_ERRORS: Record<ConsentRefusal, readonly [cause: string, advice: string]> = {
  access_denied: ['They refused at Google.', 'Allow access.'],
  missing_scopes: ['They left a needed box unticked.', 'Tick every box not marked optional.'],
  email_mismatch: ['They signed in with another account.', "Choose the account with the link's address."],
  address_held: [
    'The address is connected with another Google account.',
    'Use that account. If it is gone, the platform can disconnect the address.',
  ],
  calendar_refused: ['Google did not confirm the sign-in.', 'If it stays, tell the platform.'],
  calendar_unavailable: ['The last step at Google failed.', 'Try again in a moment.'],
};

/** People of the local world whose calendars do something on purpose, by address. A test compares them with the world. */
export const TEST_PEOPLE: Record<string, string> = {
  'busy.all.week@demo.test': 'Is always busy.',
  'free@demo.test': 'Has an empty calendar.',
  'revoked@demo.test': 'Ended the consent at Google.',
  'declines@demo.test': 'Declines every invitation after a minute. Name them second.',
  'moves@demo.test': 'Moves the event an hour later, after a minute. Name them first.',
  'slow@demo.test': 'Has a calendar that answers after two seconds.',
  'down@demo.test': 'Has a calendar that answers 503.',
  'dst@demo.test': 'Lives where the clocks change next. `npm start` prints the zone and the day.',
  'part.time@demo.test': 'Works from Tuesday to Thursday.',
  'guest@demo.test': 'Never connected a calendar.',
};
