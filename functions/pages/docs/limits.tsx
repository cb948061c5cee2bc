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
      Your plan limits how many meetings you can book in a calendar month (in UTC), and how many requests you can send in a
      minute.
    `}</Prose>
    <Table
      isSlim
      head={['Plan', { name: 'Meetings per month', is: 'number' }, { name: 'Requests per minute', is: 'number' }]}
      rows={Object.entries(PLANS).map(([name, { meetingsPerMonth, requestsPerMinute }]) => [
        <code>{name}</code>,
        number(meetingsPerMonth),
        number(requestsPerMinute),
      ])}
    />
    <h2>Meetings per month</h2>
    <Prose>{`
      - Every booked meeting counts toward your monthly limit, also a meeting that a job, a batch or an accepted proposal
      books. If you replace the second attendee of a meeting, that counts as one more meeting.
      - Moving or rescheduling a meeting, searching and proposing do not count toward the monthly limit. A cancelled meeting
      still counts.
      - When you have used 80 % of the monthly limit, Tandem sends you the event \`platform.usage_warning\`. When you have
      used all of it, Tandem sends you \`platform.usage_limit_reached\`. From then on, a booking returns 429
      [quota_exceeded](/docs/errors#quota_exceeded) until the first day of the next month.
    `}</Prose>
    <Prose>{`
      The dashboard of your platform shows how many meetings you have used this month:
    `}</Prose>
    <Call site={site} path="/v1/platform/dashboard" />
    <Response site={site} of="getDashboard" />
    <h2>Requests per minute</h2>
    <Table
      isSlim
      head={['Caller', { name: 'Requests per minute', is: 'number' }]}
      rows={[
        ['All secret keys of a platform together', 'by plan'],
        ['All keys of one person together', number(USER_REQUESTS_PER_MINUTE)],
        ['One network without a valid key', number(KEYLESS_REQUESTS_PER_MINUTE)],
      ]}
    />
    <Prose>{`
      Every response has three headers about the requests per minute. \`X-RateLimit-Limit\` is the number of requests that you
      may send in a minute. \`X-RateLimit-Remaining\` is the number that is left. \`X-RateLimit-Reset\` is the time at which
      the minute ends, in seconds since 1970. If you send more requests than the limit allows, Tandem returns 429
      [rate_limited](/docs/errors#rate_limited). Wait for the number of seconds in the header \`Retry-After\`, then send the
      request again.
    `}</Prose>
    <h2>Sizes</h2>
    <Table
      head={['What', { name: 'Limit', short: '' }]}
      rows={[
        ['Minutes of a meeting that Tandem searches for', range(SEARCHED_MINUTES)],
        ['Minutes of a meeting at a given time', range(GIVEN_MINUTES)],
        ['Days of a search', `at most ${LONGEST_DAYS}`],
        ['Meetings of a batch', `1 to ${number(MOST_MEETINGS)}`],
        ['Times of a proposal', `1 to ${MOST_TIMES}`],
        ['Hours until a proposal expires', range(EXPIRY_HOURS)],
        ['Open proposals of a person', `at most ${MOST_OPEN.ofPerson}`],
        ['Hours of a person held by open proposals', `at most ${MOST_OPEN.heldHours}`],
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

      - Of events that Tandem did not book, Tandem reads only when they begin and end. Tandem never sees the titles, places or
      guests of such events.
      - Of the meetings that Tandem booked, Tandem reads the time and each person's response to the invitation.
      - Tandem stores the access to a person's calendar encrypted. Tandem stores only hashes of API keys.
    `}</Prose>
    <h2>What your platform can read</h2>
    <Prose>{`
      - Your platform can read when a person is free, and the person's preferences: their work hours, their focus blocks with
      the reasons, and other preferences.
      - Your platform never learns which calendars a person has or chose, what is in the person's events, or which other
      platforms the person uses.
      - A person who connected to another platform is not connected to yours.
    `}</Prose>
    <h2>How long it is kept</h2>
    <Table
      head={['What', { name: 'How long', short: '' }]}
      rows={[
        ['People, their preferences and what Tandem learned about them', 'until the person deletes their account'],
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
      On Tandem's page \`/me\`, every person can see and export their data, end a platform's access to their calendar, undo
      what Tandem learned about them, and delete their account. When a person deletes their account, Tandem erases the
      person everywhere. In meetings that stay with your platform, the words "a former user" take the place of the person's
      address. Tandem sends you the event \`user.calendar.disconnected\`.
    `}</Prose>
    <h2>What you can do</h2>
    <Prose>{`
      - \`DELETE /v1/calendars/{email}\` ends your platform's access to a person's calendar.
      - \`DELETE /v1/users/{email}\` erases a guest, which is a person who never connected a calendar to your platform.
      - \`GET /v1/platform/audit-log\` lists the changes of your platform's keys, settings and connections, and who made each
      change.
    `}</Prose>
    <h2>Language models</h2>
    <Prose>{`
      Tandem passes only one kind of text to a language model: what people write to Tandem about times, such as a reason for
      moving a meeting. Tandem does not store the words of a reason. No text from a person's calendar reaches a language model. The
      page about [agents](/docs/agents) says how Tandem protects calendars from AI agents.
    `}</Prose>
  </DocsPage>
);

/** Entries of the changelog, newest first. */
const CHANGES: [date: string, change: string, impact: string][] = [
  [
    '2026-11-28',
    'The audit log has only the host of a new `logo_url`. An event about the end of a proposal never has the name that a guest gave.',
    'Nothing to do. `GET /v1/proposals/{proposal_id}` has the name.',
  ],
  [
    '2026-11-27',
    "An error about a missing required field names all missing fields of the request. If the request has a misspelled field, the error's `message` asks whether you meant the missing one. An error about a time that has passed gives the time on Tandem's server.",
    'Nothing to do, unless your code compares a `message`.',
  ],
  [
    '2026-11-27',
    "The Node code in the docs uses Tandem's client. The webhooks page has a whole receiver for Node.",
    'Nothing to do. `fetch` still works as before.',
  ],
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
      The version of the API is in the path, \`/v1\`, and in the field \`api_version\` of every event. Within a version, we add
      to the API, but we do not break what works. Write your code so that it accepts these changes:

      - We may add endpoints, optional fields of requests, and fields of responses and events.
      - We may add types of events, and values of \`reason\`.
      - We may add error codes. If you do not know an error code, decide by the HTTP status of the error.
      - We may change the words of sentences for people, such as the \`message\` of an error or the \`reason\` of a slot.
      - IDs may become longer.

      Within a version, we make none of these changes:

      - We do not remove or rename an endpoint, a field or a value, and we do not give an error code another status.
      - We do not change the type of a field, and we do not leave out a field that was always in a response.
      - We do not make an optional field of a request required, we do not add a required field to a request, and we do not lower
      a limit of a field.

      If we have to break one of these promises, we publish a new version of the API beside the old one. Before each release,
      a test compares the API with the API of the previous release.
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
