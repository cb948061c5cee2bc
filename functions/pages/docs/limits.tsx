import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { LONGEST_DAYS } from '../../../lib/engine/time/window.ts';
import { KEPT_MS } from '../../../lib/kit/kept-for.ts';
import { KEYLESS_REQUESTS_PER_MINUTE, PLANS, USER_REQUESTS_PER_MINUTE } from '../../../lib/kit/plans.ts';
import { LARGEST_BODY, MOST_MEETINGS } from '../../../schema/api/batches.ts';
import { GIVEN_MINUTES, SEARCHED_MINUTES } from '../../../schema/api/fields.ts';
import { LONGEST_KEY, LONGEST_VALUE, MOST_PAIRS } from '../../../schema/api/metadata.ts';
import { LARGEST_PAGE } from '../../../schema/api/paging.ts';
import { EXPIRY_HOURS, MOST_OPEN, MOST_TIMES } from '../../../schema/api/proposals.ts';
import { LARGEST_BYTES } from '../../body.ts';
import { CLIENT_PATH } from '../../files.ts';
import { Table } from '../components.tsx';
import { Call, type Site } from './call.tsx';
import { DocsPage } from './frame.tsx';
import { Response } from './response.tsx';
import { Prose, Words } from './words.tsx';

const number = (value: number | null) => (value === null ? 'unlimited' : value.toLocaleString('en'));
const range = ([least, most]: readonly [number, number]) => `${least} to ${number(most)}`;
/** Formats the time that data is kept: in days if it is more than one day, otherwise in hours. */
const period = (ms: number) => (ms > DAY ? `${ms / DAY} days` : `${ms / HOUR} hours`);

/** The page with every limit. Its numbers are those that the code applies. */
export const LimitsPage = (site: Site) => (
  <DocsPage path="/docs/limits">
    <h2>Plans</h2>
    <Prose>{`
      Your plan limits the meetings of a calendar month in UTC, and the requests of a minute.
    `}</Prose>
    <Table
      head={['Plan', 'Meetings per month', 'Requests per minute']}
      numbers={[1, 2]}
      rows={Object.entries(PLANS).map(([name, { meetingsPerMonth, requestsPerMinute }]) => [
        <code>{name}</code>,
        number(meetingsPerMonth),
        number(requestsPerMinute),
      ])}
    />
    <h2>Meetings per month</h2>
    <Prose>{`
      - Every booking counts, also those of a job, a batch or an accepted proposal. A replaced second attendee counts as one
      more.
      - Moving, rescheduling, searching and proposing do not count. A cancelled meeting still counts.
      - At 80 % of the limit you receive \`platform.usage_warning\`, and at 100 % \`platform.usage_limit_reached\`. Then a
      booking gets 429 [quota_exceeded](/docs/errors#quota_exceeded) until the first of the next month.
    `}</Prose>
    <Call site={site} path="/v1/platform/dashboard" />
    <Response site={site} of="getDashboard" />
    <h2>Requests per minute</h2>
    <Table
      head={['Caller', 'Requests per minute']}
      numbers={[1]}
      rows={[
        ['All secret keys of a platform together', 'by plan'],
        ['All keys of one person together', number(USER_REQUESTS_PER_MINUTE)],
        ['One network without a valid key', number(KEYLESS_REQUESTS_PER_MINUTE)],
      ]}
    />
    <Prose>{`
      Every response has the headers \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, the second since
      1970 at which the count ends. A request over the limit gets 429 [rate_limited](/docs/errors#rate_limited) with
      \`Retry-After\` in seconds. Wait that long, then send it again.
    `}</Prose>
    <h2>Sizes</h2>
    <Table
      head={['What', 'Limit']}
      rows={[
        ['Minutes of a meeting that Tandem searches for', range(SEARCHED_MINUTES)],
        ['Minutes of a meeting at a given time', range(GIVEN_MINUTES)],
        ['Days of a search', `at most ${LONGEST_DAYS}`],
        ['Meetings of a batch', `1 to ${number(MOST_MEETINGS)}`],
        ['Times of a proposal', `1 to ${MOST_TIMES}`],
        ['Hours until a proposal expires', range(EXPIRY_HOURS)],
        ['Open proposals of a requester', `at most ${MOST_OPEN.ofRequester}`],
        ['Open proposals of the same two people', `at most ${MOST_OPEN.ofPair}`],
        [
          'Pairs of metadata',
          `at most ${MOST_PAIRS}, keys of ${LONGEST_KEY} and values of ${LONGEST_VALUE} characters`,
        ],
        ['Items of a page of a list', `1 to ${LARGEST_PAGE}`],
        ['Body of a request', `at most ${LARGEST_BYTES / 1024} KiB, of a batch ${LARGEST_BODY / 1024 / 1024} MiB`],
      ]}
    />
  </DocsPage>
);

/** The page about the data that Tandem has, how long, and how it is deleted. */
export const DataPage = () => (
  <DocsPage path="/docs/data">
    <h2>What Tandem reads</h2>
    <Prose>{`
      Tandem asks Google for two permissions: to see when a person is busy, and to create, change and delete events.

      - Of other events, Tandem reads only when they begin and end. It never sees their titles, places or guests.
      - Of its own meetings, it reads the time and each person's answer.
      - The access that a person gives is stored encrypted. API keys are stored as hashes.
    `}</Prose>
    <h2>What your platform can read</h2>
    <Prose>{`
      - You see a person's free times, work hours, focus blocks with their reasons, and other preferences.
      - You never learn which calendars a person has or chose, what their events are, or which other platforms they use.
      - A person who connected to another platform is not connected to yours.
    `}</Prose>
    <h2>How long it is kept</h2>
    <Table
      head={['What', 'How long']}
      rows={[
        ['People, preferences and what was learned', 'until the person deletes their account'],
        ['Meetings', 'as long as your platform exists'],
        ['Jobs', `${period(KEPT_MS.jobs)} after their end`],
        ['Batches', `${period(KEPT_MS.batches)} after their end`],
        ['Proposals', `${period(KEPT_MS.proposals)} after their end, or the end of their meeting`],
        ['Webhook deliveries', period(KEPT_MS.deliveries)],
        ['Responses under an Idempotency-Key', period(KEPT_MS.answersUnderKeys)],
        ['Audit log', period(KEPT_MS.auditLog)],
      ]}
    />
    <h2>What a person can do</h2>
    <Prose>{`
      On \`/me\`, every person can see and export their data, end the access of a platform, undo what was learned, and delete
      their account. Deleting erases them everywhere: in meetings that stay with your platform, "a former user" takes their
      place. You receive \`user.calendar.disconnected\`.
    `}</Prose>
    <h2>What you can do</h2>
    <Prose>{`
      - \`DELETE /v1/calendars/{email}\` ends your access to a person's calendar.
      - \`DELETE /v1/users/{email}\` erases a guest who never connected a calendar.
      - \`GET /v1/platform/audit-log\` lists who changed keys, settings and connections.
    `}</Prose>
    <h2>Language models</h2>
    <Prose>{`
      Tandem reads with a language model only what people write to it about times, such as a reason for moving a meeting. A
      reason is not stored. No text of a calendar reaches a model. See [agents](/docs/agents).
    `}</Prose>
  </DocsPage>
);

/** Entries of the changelog, newest first. */
const CHANGES: [date: string, change: string, impact: string][] = [
  [
    '2026-11-27',
    `The client can be installed from \`${CLIENT_PATH}\`. The message of \`internal_error\` says where to write. The value \`tandem\` of \`cancelled_by\` is documented.`,
    'Nothing to do, unless your code compares a `message`.',
  ],
  [
    '2026-11-27',
    'Guides by task in curl, Node and Python, and every field of every event.',
    'Nothing to do. All addresses of the docs stay.',
  ],
  [
    '2026-11-27',
    'Batches: `POST /v1/schedule/batch` places and books up to 2,000 meetings together. New event `batch.completed`.',
    'Nothing to do. You receive the event only if you name it.',
  ],
  [
    '2026-11-27',
    'Proposals: offer times to somebody without a connected calendar. There are five new events, `proposal.*`. The new field `attendee_details` of meetings and proposals says who has connected a calendar.',
    'Ignore events and fields that you do not know. You receive the events only if you name them.',
  ],
  ['2026-11-21', 'First version of the API, `v1`.', ''],
];

/** The page about how the API changes, and what has changed. */
export const ChangelogPage = () => (
  <DocsPage path="/docs/changelog">
    <h2>What may change</h2>
    <Prose>{`
      The version is in the path, \`/v1\`, and in \`api_version\` of every event. Within a version, we only add. Write your code so
      that it accepts these changes:

      - new endpoints, optional fields of requests, and fields of responses and events
      - new types of events and new values of \`reason\`
      - new error codes with a status that you know; decide by the status if you do not know the code
      - other words in \`message\`, \`reason\` of a slot and other sentences for people
      - longer IDs

      Within a version, we do not do any of these:

      - remove or rename an endpoint, a field or a value, or give an error code another status
      - change the type of a field, or leave out a field that was always in a response
      - make an optional field of a request required, add a required one, or lower a limit of a field

      A change that breaks one of these promises gets a new version beside the old one. Before each release, a test compares
      the API with the contract of the release before.
    `}</Prose>
    <h2>Changelog</h2>
    <Table
      head={['Date', 'What changed', 'What it means for you']}
      rows={CHANGES.map(([date, change, impact]) => [
        <time datetime={date}>{date}</time>,
        <Words>{change}</Words>,
        <Words>{impact}</Words>,
      ])}
    />
  </DocsPage>
);
