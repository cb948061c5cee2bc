import { CARRIED_DAYS } from '../../../lib/engine/rank/fairness.ts';
import { MOST_SLOTS } from '../../../lib/engine/rank/find-slots.ts';
import { GIVEN_MINUTES, SEARCHED_MINUTES } from '../../../schema/api/fields.ts';
import { Table } from '../components.tsx';
import { Call, type Site } from './call.tsx';
import { DocsPage } from './frame.tsx';
import { requestOf, Response } from './response.tsx';
import { contactUs, Prose, Words } from './words.tsx';

/** The guide to finding a time and booking it, in two calls. */
export const SearchPage = (site: Site) => (
  <DocsPage path="/docs/search">
    <Prose>{`
      Use a search if a person should choose the time in your product. Show them the times that come back, and book the one
      that they choose. If nobody needs to choose, use [automatic scheduling](/docs/automatic).
    `}</Prose>
    <h2>1. Search</h2>
    <Prose>{`
      The first attendee is the requester, on whose calendar the event will be. A meeting is ${SEARCHED_MINUTES.join(' to ')}
      minutes long. Without \`date_range\`, the search covers the next 14 days, or as many as the requester chose. \`context\`
      says what the meeting is about, and gives you a \`suggested_title\`.
    `}</Prose>
    <Call site={site} path="/v1/availability" body={requestOf(site, 'findAvailability')} />
    <Prose>{`
      You get up to ${MOST_SLOTS} times, best first. Each has the start on both people's clocks, and a \`reason\` that you can
      show. [Concepts](/docs/concepts#ranking) explains the order.
    `}</Prose>
    <Response site={site} of="findAvailability" />
    <h2>If there is no time</h2>
    <Prose>{`
      \`slots\` is then empty, \`message\` says why, and \`relaxations\` lists what would help: each is one rule or one change
      of the search, with the number of times that it opens. To learn why a certain time is not offered, ask about it:
    `}</Prose>
    <Call site={site} path="/v1/availability/explain" body={requestOf(site, 'explainAvailability')} />
    <Response site={site} of="explainAvailability" />
    <h2>2. Book</h2>
    <Prose>{`
      Send the \`start_time\` of the chosen slot. With \`require_free\`, Tandem reads both calendars once more before it books.
      If somebody took the time meanwhile, you get 409 [slot_unavailable](/docs/errors#slot_unavailable) with other times.
      A meeting that you book at a given time can be ${GIVEN_MINUTES.join(' to ')} minutes long.
    `}</Prose>
    <Call
      site={site}
      path="/v1/schedule"
      idempotencyKey="deal-1042-intro"
      body={requestOf(site, 'scheduleMeeting')}
    />
    <Response site={site} of="scheduleMeeting" />
    <Prose>{`
      Both calendars now have the event with a Meet link, and you receive [meeting.scheduled](/docs/events#meeting.scheduled).
      The [Idempotency-Key](/docs/idempotency) makes it safe to send the request again.
    `}</Prose>
  </DocsPage>
);

/** The guide to meetings whose time Tandem chooses. */
export const AutomaticPage = (site: Site) => (
  <DocsPage path="/docs/automatic">
    <Prose>{`
      Use automatic scheduling if nobody needs to choose the time, such as for an introduction that your product makes.
      Tandem picks the best time, books it and tells you why.
    `}</Prose>
    <h2>1. Start a job</h2>
    <Prose>{`
      \`context\` is the kind of meeting. The context decides which times suit, and [how much notice](/docs/concepts#letting-tandem-choose)
      people get. The call returns at once with status 202, and Tandem works in the background.
    `}</Prose>
    <Call
      site={site}
      path="/v1/schedule/auto"
      idempotencyKey="match-881"
      body={requestOf(site, 'scheduleAutomatically')}
    />
    <Response site={site} of="scheduleAutomatically" />
    <h2>2. Receive the result</h2>
    <Prose>{`
      You receive [meeting.scheduling.completed](/docs/events#meeting.scheduling.completed), or
      [meeting.scheduling.failed](/docs/events#meeting.scheduling.failed) with an error code and suggestions for a new request. You can also read the
      job. Replace \`sched_…\` with the ID from the first response:
    `}</Prose>
    <Call site={site} path="/v1/jobs/sched_…" />
    <Response site={site} of="getJob" />
    <h2>Why a job fails</h2>
    <Table
      head={['Code', 'Cause', 'What to do']}
      rows={[
        [<code>NO_AVAILABILITY</code>, 'There is no common free time.', 'Show the suggestions, or propose times.'],
        [
          <>
            <code>CALENDAR_NOT_FOUND</code> or <code>TOKEN_EXPIRED</code>
          </>,
          'One person must connect their calendar.',
          <Words>Send them the [link](/docs/connect) again.</Words>,
        ],
        [
          <code>GOOGLE_API_ERROR</code>,
          'Google did not answer, also after several tries.',
          'Send a new request later.',
        ],
        [
          <code>USAGE_LIMIT_EXCEEDED</code>,
          'The meetings of the month are used up.',
          <Words>See [limits](/docs/limits).</Words>,
        ],
        [<code>CANCELLED</code>, 'You cancelled the job.', 'Nothing.'],
        [
          <>
            <code>TIMEZONE_ERROR</code> or <code>INTERNAL_ERROR</code>
          </>,
          'A failure on our side.',
          <Words>{`If it happens again, ${contactUs(site)} with the \`job_id\`.`}</Words>,
        ],
      ]}
    />
    <Prose>{`
      While a job runs, \`DELETE /v1/jobs/{job_id}\` stops it. If it is just booking a meeting, Tandem undoes the booking.
    `}</Prose>
    <h2>What Tandem weighs</h2>
    <Prose>{`
      - The [ranking](/docs/concepts#ranking) of a search, and how comfortable a time is.
      - The kind of meeting, and the time of day at which each person is at their best.
      - What Tandem [learned](/docs/concepts#learning) about both people.
      - Fairness: whoever met more often at unusual hours in the last ${CARRIED_DAYS} days gets the better hour.
    `}</Prose>
  </DocsPage>
);

/** The guide to moving and cancelling a meeting. */
export const ReschedulePage = (site: Site) => (
  <DocsPage path="/docs/reschedule">
    <Prose>{`
      When somebody asks for another time, send their own words. Tandem reads which time they want, moves the meeting, and
      learns from the reason for the next one.
    `}</Prose>
    <h2>Move for a reason</h2>
    <Prose>{`
      \`requested_by\` is the attendee whose words these are. Replace \`meet_…\` with the ID of the meeting:
    `}</Prose>
    <Call
      site={site}
      path="/v1/meetings/meet_…/reschedule"
      idempotencyKey="move-1"
      body={requestOf(site, 'rescheduleMeeting')}
    />
    <Response site={site} of="rescheduleMeeting" />
    <Prose>{`
      - \`new_meeting_id\` replaces the old ID. The event on the calendars and its video link stay the same.
      - \`understood\` quotes the words that Tandem read, with their meaning. \`not_understood\` has words about times that it
      could not read. Show both, so that the person can correct them.
      - \`learned_from\` says what Tandem will do differently next time. The person can undo it on \`/me\`.
    `}</Prose>
    <Prose>{`
      If no time fits, you get 409 [no_availability](/docs/errors#no_availability), and the meeting stays as it is. To offer
      times instead of moving at once, send \`"propose": true\`; see
      [When only one side is connected](/docs/proposals#agree-on-a-move).
    `}</Prose>
    <h2>Move to a time that you know</h2>
    <Prose>{`
      If somebody chose the new time in your product, set it. The meeting keeps its ID. Tandem does not check that the time
      is free.
    `}</Prose>
    <Call
      site={site}
      method="PUT"
      path="/v1/meetings/meet_…"
      body={{ start_time: `${site.date}T15:00:00Z`, end_time: `${site.date}T15:30:00Z`, reason: 'Bob asked for it' }}
    />
    <h2>Cancel</h2>
    <Prose>{`
      The event disappears from both calendars, and you receive [meeting.cancelled](/docs/events#meeting.cancelled).
    `}</Prose>
    <Call site={site} method="DELETE" path="/v1/meetings/meet_…" />
    <h2>Changes in Google Calendar</h2>
    <Prose>{`
      If a person moves or deletes the event in Google Calendar, the meeting follows, and you receive an event with
      \`calendar\` as the one who changed it. If somebody declines, \`on_decline\` of \`PUT /v1/platform/settings\` decides
      what happens.
    `}</Prose>
  </DocsPage>
);
