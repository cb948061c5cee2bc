import { CARRIED_DAYS } from '../../../lib/engine/rank/fairness.ts';
import { MOST_SLOTS } from '../../../lib/engine/rank/find-slots.ts';
import { GIVEN_MINUTES, SEARCHED_MINUTES } from '../../../schema/api/fields.ts';
import { Table } from '../components.tsx';
import { Call, type Site } from './call.tsx';
import { DocsPage } from './frame.tsx';
import { Response, requestOf } from './response.tsx';
import { contactUs, Prose, Words } from './words.tsx';

/** The guide to finding a time and booking it, in two calls. */
export const SearchPage = (site: Site) => (
  <DocsPage path="/docs/search">
    <Prose>{`
      Use a search if a person should choose the time of a meeting in your product. Show the person the times that the
      search returns, and book the time that the person chooses. If no person needs to choose, use
      [automatic scheduling](/docs/automatic).
    `}</Prose>
    <h2>1. Search</h2>
    <Prose>{`
      A search takes two attendees. The first attendee is the requester: the event of the meeting is created on the
      requester's calendar. The length of the meeting, \`duration_minutes\`, is ${SEARCHED_MINUTES.join(' to ')} minutes.
      \`date_range\` limits the dates of the search. Without \`date_range\`, the search covers the next 14 days, or the
      number of days that the requester chose in their preferences. In \`context\`, say what the meeting is about. Tandem
      then returns a title for the meeting in \`suggested_title\`.
    `}</Prose>
    <Call site={site} path="/v1/availability" body={requestOf(site, 'findAvailability')} />
    <Prose>{`
      A search returns up to ${MOST_SLOTS} times in \`slots\`, best first. Each slot has the start of the meeting on both
      people's clocks, and a sentence in \`reason\` that you can show to people.
      [Concepts](/docs/concepts#ranking) explains how Tandem ranks the times.
    `}</Prose>
    <Response site={site} of="findAvailability" />
    <h2>If there is no time</h2>
    <Prose>{`
      If the two people have no time in common, the search still returns status 200. Its \`slots\` are empty, and its
      \`message\` says why. \`relaxations\` lists what would help: each entry is a rule to drop or a change of the search,
      with the number of times that would then be free. To learn why a search does not offer a certain time, ask Tandem to
      explain the time:
    `}</Prose>
    <Call site={site} path="/v1/availability/explain" body={requestOf(site, 'explainAvailability')} />
    <Response site={site} of="explainAvailability" />
    <h2>2. Book</h2>
    <Prose>{`
      To book a slot, send the \`start_time\` of the slot. With \`require_free\`, Tandem reads both calendars again before it
      books. If the time is no longer free, Tandem books nothing and returns 409
      [slot_unavailable](/docs/errors#slot_unavailable) with other times. A meeting that you book at a given time can be
      ${GIVEN_MINUTES.join(' to ')} minutes long.
    `}</Prose>
    <Call site={site} path="/v1/schedule" idempotencyKey="deal-1042-intro" body={requestOf(site, 'scheduleMeeting')} />
    <Response site={site} of="scheduleMeeting" />
    <Prose>{`
      After a booking, both calendars have the event with a Meet link, and Tandem sends you the event
      [meeting.scheduled](/docs/events#meeting.scheduled). If you sent an [Idempotency-Key](/docs/idempotency), you can send
      the same booking again, and Tandem books only once.
    `}</Prose>
  </DocsPage>
);

/** The guide to meetings whose time Tandem chooses. */
export const AutomaticPage = (site: Site) => (
  <DocsPage path="/docs/automatic">
    <Prose>{`
      Use automatic scheduling if no person needs to choose the time of a meeting, for example for an introduction that your
      product makes. Tandem chooses the best time, books the meeting and tells you why it chose that time.
    `}</Prose>
    <h2>1. Start a job</h2>
    <Prose>{`
      The field \`context\` says what kind of meeting it is. The \`context\` decides which times suit the meeting, and
      [how long before the meeting](/docs/concepts#letting-tandem-choose) the two people must learn of it. The call returns
      at once with status 202 and the ID of a job. Tandem then chooses a time and books it in the background.
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
      If the job succeeds, Tandem sends you the event [meeting.scheduling.completed](/docs/events#meeting.scheduling.completed).
      If the job fails, Tandem sends you the event [meeting.scheduling.failed](/docs/events#meeting.scheduling.failed), with
      an error code and with suggestions for a new request. You can also read the job every 2 seconds, until its \`status\` is
      \`completed\` or \`failed\`. Replace \`sched_…\` with the
      \`job_id\` from the response to the first call:
    `}</Prose>
    <Call site={site} path="/v1/jobs/sched_…" />
    <Response site={site} of="getJob" />
    <h2>Why a job fails</h2>
    <Prose>{`
      A failed job has one of these codes in \`error_code\`:
    `}</Prose>
    <Table
      head={['Code', 'Cause', 'What to do']}
      rows={[
        [
          <code>NO_AVAILABILITY</code>,
          'The two people have no free time in common.',
          'Show the suggestions of the job, or propose times.',
        ],
        [
          <>
            <code>CALENDAR_NOT_FOUND</code> or <code>TOKEN_EXPIRED</code>
          </>,
          'One of the two people must connect their calendar.',
          <Words>Send the person the [link](/docs/connect) again.</Words>,
        ],
        [
          <code>GOOGLE_API_ERROR</code>,
          'Google did not respond, even after several attempts.',
          'Send a new request later.',
        ],
        [
          <code>USAGE_LIMIT_EXCEEDED</code>,
          'You have used all meetings of your plan for this month.',
          <Words>Wait until the next month, or upgrade your plan. See [limits](/docs/limits).</Words>,
        ],
        [<code>CANCELLED</code>, 'You cancelled the job.', 'Nothing.'],
        [
          <>
            <code>TIMEZONE_ERROR</code> or <code>INTERNAL_ERROR</code>
          </>,
          'Something failed on our side.',
          <Words>{`If a new job fails too, ${contactUs(site)} with the \`job_id\`.`}</Words>,
        ],
      ]}
    />
    <Prose>{`
      To stop a job that is still running, call \`DELETE /v1/jobs/{job_id}\`. If the job has begun to book a meeting, Tandem
      undoes the booking.
    `}</Prose>
    <h2>What Tandem weighs</h2>
    <Prose>{`
      To choose a time for a job, Tandem considers these things:

      - Tandem ranks times as a search does: by the [ranking rules](/docs/concepts#ranking), then by comfort.
      - Tandem prefers times of day that suit the kind of meeting, and at which each person is at their best.
      - Tandem uses what it has [learned](/docs/concepts#learning) about the two people from earlier reasons for moving meetings.
      - If one of the two people met the other more often before 8:00 or after 18:00 in the last ${CARRIED_DAYS} days, that
      person gets the better hour this time.
    `}</Prose>
  </DocsPage>
);

/** The guide to moving and cancelling a meeting. */
export const ReschedulePage = (site: Site) => (
  <DocsPage path="/docs/reschedule">
    <Prose>{`
      When an attendee asks for another time, send Tandem the attendee's own words. Tandem reads in the words which time the
      attendee wants, and moves the meeting. Tandem also learns from the words which times suit the attendee in later
      meetings.
    `}</Prose>
    <h2>Move for a reason</h2>
    <Prose>{`
      Send the attendee's words in \`reason\`, and the attendee's email address in \`requested_by\`. Replace \`meet_…\` with
      the ID of the meeting:
    `}</Prose>
    <Call
      site={site}
      path="/v1/meetings/meet_…/reschedule"
      idempotencyKey="move-1"
      body={requestOf(site, 'rescheduleMeeting')}
    />
    <Response site={site} of="rescheduleMeeting" />
    <Prose>{`
      - A moved meeting is a new meeting with a new ID, which is in \`new_meeting_id\`. Use the new ID from now on. The event
      in the calendars and its video link stay the same.
      - \`understood\` quotes each part of the reason that Tandem understood, with its meaning. \`not_understood\` quotes words
      about time that Tandem could not read. Show both to the attendee, so that the attendee can correct them.
      - \`learned_from\` says what Tandem learned from the reason about the attendee's preferences. The attendee can undo
      what Tandem learned on their own page, \`/me\`.
    `}</Prose>
    <Prose>{`
      After the move, Tandem sends you one event: [meeting.scheduled](/docs/events#meeting.scheduled) for the new meeting,
      with the old meeting's ID in \`rescheduled_from\`. Tandem sends no event for the old meeting. So when your webhook
      receiver gets a \`meeting.scheduled\` with \`rescheduled_from\`, replace the old meeting in your database with the new
      one.
    `}</Prose>
    <Prose>{`
      If no time fits the reason, Tandem returns 409 [no_availability](/docs/errors#no_availability), and the meeting stays
      as it is. To offer times to the attendees instead of moving the meeting at once, send \`"propose": true\`. The guide
      [When only one side is connected](/docs/proposals#agree-on-a-move) explains such an offer.
    `}</Prose>
    <h2>Move to a time that you know</h2>
    <Prose>{`
      If a person chose the new time of a meeting in your product, send the new times of the meeting. The meeting keeps its
      ID, and Tandem sends you the event [meeting.updated](/docs/events#meeting.updated). Tandem does not check that the new
      time is free.
    `}</Prose>
    <Call
      site={site}
      method="PUT"
      path="/v1/meetings/meet_…"
      body={{ start_time: `${site.date}T15:00:00Z`, end_time: `${site.date}T15:30:00Z`, reason: 'Bob asked for it' }}
    />
    <h2>Cancel</h2>
    <Prose>{`
      When you cancel a meeting, Tandem removes its event from both calendars, and sends you the event
      [meeting.cancelled](/docs/events#meeting.cancelled).
    `}</Prose>
    <Call site={site} method="DELETE" path="/v1/meetings/meet_…" />
    <h2>Changes in Google Calendar</h2>
    <Prose>{`
      If a person moves a meeting's event in Google Calendar, Tandem moves the meeting and sends you
      [meeting.updated](/docs/events#meeting.updated). If a person deletes the event in Google Calendar, Tandem cancels the
      meeting and sends you [meeting.cancelled](/docs/events#meeting.cancelled). In both cases, the webhook event says
      \`calendar\` in the place of your platform's ID. If a person declines the invitation, your platform's setting
      \`on_decline\` decides what Tandem does. You change \`on_decline\` with \`PUT /v1/platform/settings\`.
    `}</Prose>
  </DocsPage>
);
