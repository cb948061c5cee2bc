import { KEPT_MS } from '../../../lib/kit/kept-for.ts';
import { PERMISSIONS } from '../../../lib/kit/permissions.ts';
import { PLANS } from '../../../lib/kit/plans.ts';
import { STAYS } from '../../../lib/kit/what-stays.ts';
import type { OpenapiDocument } from '../../http/openapi-document.ts';
import { CONNECT_ERRORS } from './connect-errors.ts';
import { eventsTable } from './event-tables.ts';
import { CONTEXTS_BY_NOTICE, FACTORS, PARTS, SPREADS } from './ranking-tables.ts';
import { tableOf } from './table.ts';
import { TEST_PEOPLE } from './test-people.ts';
import { number, period, VALUES } from './values.ts';

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

/** Returns tables of what code decides, as Markdown, by the name that a page uses. */
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
      ['Jobs', `${period(KEPT_MS.jobs)} after their end`],
      ['Batches', `${period(KEPT_MS.batches)} after their end`],
      ['Proposals', `${period(KEPT_MS.proposals)} after their end, or the end of their meeting`],
      ['Webhook deliveries', period(KEPT_MS.deliveries)],
      ['Answers under an `Idempotency-Key`', period(KEPT_MS.answersUnderKeys)],
      ['Audit log', period(KEPT_MS.auditLog)],
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
