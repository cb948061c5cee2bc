import type { ConsentRefusal } from '../../../lib/calendars/connect/read-consent.ts';
import { CONTEXTS } from '../../../lib/engine/rank/contexts.ts';
import { COMMON_PARTS, PERSON_PARTS, SPREAD } from '../../../lib/engine/rank/parts.ts';
import { type RuleName, ranking } from '../../../lib/engine/rank/score.ts';
import { DAY_MINUTES } from '../../../lib/engine/time/dates.ts';
import { KEPT_MS, STAYS, sayKept } from '../../../lib/kit/kept-for.ts';
import { PERMISSIONS } from '../../../lib/kit/permissions.ts';
import { PLANS } from '../../../lib/kit/plans.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import { tableOf } from './markdown.ts';
import { eventsTable } from './reference.ts';
import { coded, number, VALUES } from './values.ts';

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
  factors: FACTORS,
  parts: PARTS,
  spread: SPREADS,
  contexts: CONTEXTS_BY_NOTICE,
  events: eventsTable(document),
});

function written(minutes: number): string {
  if (minutes % DAY_MINUTES === 0) return `${minutes / DAY_MINUTES} day`;
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

const CONTEXTS_BY_NOTICE = tableOf(
  ['At least', 'For a `context` of'],
  [...Map.groupBy(Object.entries(CONTEXTS), ([, { notice }]) => notice)]
    .sort(([one], [other]) => one - other)
    .map(([notice, contexts]) => [written(notice), coded(contexts.map(([name]) => name))]),
);

const APPLIES: Record<RuleName, string> = {
  mid_morning: 'starts 10:00–10:59 for the requester',
  recency: 'starts within 72 hours',
  lunch_hour: 'overlaps 12:00–13:00 for either',
  friday_afternoon: 'starts on Friday at 14:00 or later for either',
  timezone_fairness: 'begins before 8:00 or ends after 18:00 for either',
};

const FACTORS = tableOf(
  ['Factor', '×', 'When the meeting'],
  ranking
    .toSorted((one, other) => other.multiplier - one.multiplier)
    .map(({ name, multiplier }) => [`\`${name}\``, multiplier, APPLIES[name]]),
);

/** The parts of merit, as `lib/engine/rank/parts.ts` has them: for each person, then those that count once for both. */
const PARTS = tableOf(
  ['Part', '×', 'When the meeting'],
  [
    ...PERSON_PARTS.map(({ name, number, when }) => [`\`${name}\``, number, when] as const),
    ...Object.entries(COMMON_PARTS).map(([name, { number, when }]) => [`\`${name}\``, number, when] as const),
  ].map((row) => [...row]),
);

const SPREADS = tableOf(
  ['Spread', '×', 'When the meeting'],
  Object.entries(SPREAD).map(([name, { number, when }]) => [name.replaceAll('_', ' '), number, when]),
);

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
