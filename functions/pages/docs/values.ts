import { TTL_SECONDS as CONSENT_SECONDS } from '../../../lib/calendars/connect/authorization-request.ts';
import { REAUTHORIZE_WITHIN_MS } from '../../../lib/calendars/grants/reauthorization.ts';
import { SERVED_FOR_MS } from '../../../lib/calendars/snapshot/timing.ts';
import { MOST_RETRY_AFTER_SECONDS, RETRIES, TIMEOUT_SECONDS } from '../../../lib/client/call.ts';
import { JOB_SECONDS } from '../../../lib/client/requests.ts';
import { CARRIED_DAYS } from '../../../lib/engine/rank/fairness.ts';
import { MOST_SLOTS } from '../../../lib/engine/rank/find-slots.ts';
import { NOTICE } from '../../../lib/engine/rules/candidates.ts';
import { DEFAULT_WINDOW_DAYS } from '../../../lib/engine/rules/defaults.ts';
import { DAY, MINUTE } from '../../../lib/engine/time/dates.ts';
import { HORIZON_DAYS, LONGEST_DAYS } from '../../../lib/engine/time/window.ts';
import { KEPT_MS, sayKept } from '../../../lib/kit/kept-for.ts';
import { KEYLESS_REQUESTS_PER_MINUTE, USER_REQUESTS_PER_MINUTE } from '../../../lib/kit/plans.ts';
import { WAIT_MS } from '../../../lib/meetings/index.ts';
import { AGENT_DAYS, MOST_AGENTS } from '../../../lib/people/agents/tokens.ts';
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
import { BY_NAME, DEFAULT_EVENTS } from '../../../schema/api/webhook-events/names.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../../../schema/api/webhooks.ts';
import { LARGEST_BYTES } from '../../http/body.ts';
import { CLIENT_PATH } from '../../http/files.ts';
import { LONGEST_KEY as LONGEST_IDEMPOTENCY_KEY } from '../../http/headers.ts';
import { either, placeOf } from '../prerendered.ts';
import { bestOfDay } from './week-figure.tsx';

export const number = (value: number | null) => (value === null ? 'unlimited' : value.toLocaleString('en'));
export const range = ([least, most]: readonly [number, number]) => `${least} to ${number(most)}`;
export const coded = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

const email = placeOf('SUPPORT_EMAIL');

/** Values that live in code, by the name that a page writes between double braces. */
export const VALUES: Readonly<Record<string, string>> = {
  contact: either('SUPPORT_EMAIL', `write to [${email}](mailto:${email})`, 'contact us'),
  client: placeOf('BASE_URL') + CLIENT_PATH,
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
