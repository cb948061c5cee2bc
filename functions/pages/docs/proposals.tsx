import { dateIn } from '../../placeholders.ts';
import { Table } from '../components.tsx';
import { Call, type Site } from './call.tsx';
import { DocsPage } from './frame.tsx';

/** The page about offering times to somebody who need not be connected. The example offers times from `date` on. */
export function ProposalsPage(site: Site) {
  const times = [0, 1, 2].map((days) => `${dateIn(days)}T${14 + days}:00:00Z`);
  return (
    <DocsPage path="/docs/proposals">
      <p>
        To search two calendars, Tandem needs the consent of both people. Often only one of the two people has connected
        a calendar: your recruiter, but not the candidate. In such a case, make a <strong>proposal</strong>. A proposal
        offers the other person one to five times, and reserves all of these times until the proposal ends. The other
        person opens a link, sees the times on their own clock and chooses one. The other person needs no account. When
        the person has chosen a time, Tandem books the meeting and invites both people.
      </p>
      <p>
        You can also make a proposal for two connected people, if the second person should agree before Tandem books a
        meeting. For two connected people, Tandem reads both calendars and reserves the times for both people.
      </p>
      <h2>1. Make a proposal</h2>
      <p>
        The first attendee of a proposal is the requester, who must have connected a calendar. If you send no{' '}
        <code>times</code>, Tandem chooses the best times, each on another date where possible. <code>count</code> is
        the number of times to offer, 3 by default. If the second attendee is not connected and you know their time
        zone, send it in <code>guest_time_zone</code>. Without <code>guest_time_zone</code>, Tandem chooses times that
        suit the requester's day, which may be night for the second attendee.
      </p>
      <Call
        site={site}
        path="/v1/proposals"
        idempotencyKey="candidate-4711"
        body={{
          attendees: ['ada@example.com', 'grace@example.com'],
          duration_minutes: 30,
          title: 'Interview',
          count: 3,
          guest_time_zone: 'America/New_York',
        }}
      />
      <p>
        You can also choose the times of a proposal yourself. If the requester is not free at one of your times, Tandem
        refuses the proposal with an error that lists other times.
      </p>
      <Call
        site={site}
        path="/v1/proposals"
        body={{
          attendees: ['ada@example.com', 'grace@example.com'],
          duration_minutes: 30,
          title: 'Interview',
          times: times,
          expires_in_hours: 72,
        }}
      />
      <h2>2. Send the link</h2>
      <p>
        The response to a new proposal has the <code>proposal_id</code>, a <code>url</code>, and the <code>times</code>,
        each with an <code>id</code>. The <code>url</code> leads to the page on which the second attendee answers.
        Tandem sends no mail about a proposal, so send the <code>url</code> to the second attendee yourself. Send the{' '}
        <code>url</code> to nobody else, because everybody who has it can answer the proposal. You can list your open
        proposals, with the <code>url</code> of each, at any time:
      </p>
      <Call site={site} path="/v1/proposals?status=open&email=grace@example.com" />
      <h2>What the person sees</h2>
      <ul>
        <li>
          The page of a proposal shows the requester, the title, the length, and the times. It shows each time on the
          clock of the person who answers and on the requester's clock. The page shows nothing else of the requester's
          calendar. Tandem does not know the requester's name, so the page shows their email address. To show a name on
          the page, send <code>requester_name</code> with the proposal.
        </li>
        <li>
          The person chooses a time and confirms the choice. A person who is not connected also enters their name.
          Before Tandem books the chosen time, it reads the requester's calendar again. If the requester is no longer
          free, the page says so, and the person can choose another of the times.
        </li>
        <li>
          If no time suits the person, the person chooses “None of these”. The person can then ask for other times in
          their own words, such as “Thursday after 15:00”, or decline, with or without a reason. If Tandem finds times
          that fit the person's words, it offers these times in a new proposal.
        </li>
        <li>
          Once a time is booked, the page shows the meeting and offers it as a calendar file. Google also sends the
          person an invitation by mail. Until the meeting starts, the person can cancel the meeting on the page.
        </li>
        <li>
          On the page of a booked meeting, the person can also ask for another time. Tandem then makes a new proposal
          with other times, whose <code>moves_meeting_id</code> has the ID of the meeting. The meeting keeps its time
          until the person chooses one of the new times.
        </li>
        <li>
          Opening the link of a proposal changes nothing, so a mail scanner or a chat preview that opens the link does
          no harm.
        </li>
      </ul>
      <p>
        In every response and event about a proposal and its meeting, <code>attendee_details</code> has{' '}
        <code>"connected": false</code> for a person who is not connected. A meeting with such a person works like any
        other meeting: you can move and cancel the meeting, and <code>rsvps</code> shows the person's response to the
        invitation. If the person connects a calendar later, the meeting also counts as a meeting of this connected
        person.
      </p>
      <h2>3. Receive the answer</h2>
      <p>
        When a proposal ends, Tandem sends you an event, if you named the event's type in the field <code>events</code>{' '}
        of <code>PUT /v1/platform/webhook</code>. When a time is accepted, Tandem also sends{' '}
        <code>meeting.scheduled</code>. The list that you send in <code>events</code> replaces the previous list, so
        name every type of event that you want to receive:
      </p>
      <Call
        site={site}
        method="PUT"
        path="/v1/platform/webhook"
        body={{
          url: 'https://acme.com/hooks/tandem',
          events: [
            'meeting.scheduled',
            'meeting.rescheduled',
            'meeting.cancelled',
            'proposal.accepted',
            'proposal.declined',
            'proposal.countered',
            'proposal.expired',
            'proposal.withdrawn',
          ],
        }}
      />
      <Table
        head={['Event', { name: 'What happened', short: '' }]}
        rows={[
          [
            <code>proposal.accepted</code>,
            'A time of the proposal was accepted. The event has the ID of the booked meeting.',
          ],
          [
            <code>proposal.declined</code>,
            'The person declined the proposal, or your server declined it for the person.',
          ],
          [<code>proposal.countered</code>, 'The person asked for other times, and a new proposal offers some.'],
          [<code>proposal.expired</code>, 'Nobody answered the proposal before it expired.'],
          [<code>proposal.withdrawn</code>, 'Your platform withdrew the proposal.'],
        ]}
      />
      <h2>Draw your own page</h2>
      <p>
        You can show the times of a proposal in your own product instead of on Tandem's page. When the person chooses a
        time in your product, send Tandem the <code>id</code> of the time. Replace <code>prop_…</code> and{' '}
        <code>time_…</code> with the IDs of the proposal and of one of its times:
      </p>
      <Call site={site} path="/v1/proposals/prop_…/accept" body={{ time_id: 'time_…' }} />
      <p>
        The response is the proposal with the status <code>accepted</code>. Its <code>meeting_id</code> is the ID of the
        meeting that Tandem booked, with which you can move or cancel the meeting.
      </p>
      <p>
        If the person is not connected, you can also send their name in <code>guest_name</code> and their time zone in{' '}
        <code>guest_time_zone</code>.
      </p>
      <p>
        To decline a proposal for the person, call <code>{'POST /v1/proposals/{proposal_id}/decline'}</code>, with or
        without a <code>reason</code>. To withdraw a proposal, call <code>{'DELETE /v1/proposals/{proposal_id}'}</code>.
        A proposal ends only once. If you repeat the call that ended a proposal, Tandem returns the same response. If
        you send another call about an ended proposal, Tandem returns 409 <code>proposal_ended</code>. If you accept a
        time that has just become busy, Tandem returns 409 <code>time_unavailable</code>, and says how many times of the
        proposal are left.
      </p>
      <h2>Agree on a move</h2>
      <p>
        A proposal can also offer other times for a meeting that is already booked. To make such a proposal, send the
        meeting's ID in <code>meeting_id</code> with <code>POST /v1/proposals</code>. The meeting stays as it is until
        one of the times is accepted. You can also have Tandem choose the times from an attendee's own words: call{' '}
        <code>{'POST /v1/meetings/{meeting_id}/reschedule'}</code> with <code>"propose": true</code>. Tandem then offers
        the best three times in a proposal, instead of moving the meeting at once:
      </p>
      <Call
        site={site}
        path="/v1/meetings/meet_…/reschedule"
        body={{ requested_by: 'grace@example.com', reason: 'Another day would suit me better', propose: true }}
      />
      <p>
        If your platform's setting <code>on_decline</code> is <code>propose</code>, Tandem also makes a proposal with
        other times whenever an attendee declines the invitation in their calendar.
      </p>
      <h2>Expiry</h2>
      <p>
        A proposal expires after the number of hours in <code>expires_in_hours</code>, 48 by default and at most 336. It
        expires at the latest when its last time begins. When a proposal expires, its times are free again. With{' '}
        <code>"on_expiry": "book_first"</code>, Tandem instead books the first time of the proposal that is still free.
        A proposal with <code>book_first</code> expires at the latest 15 minutes before its earliest time.
      </p>
      <h2>Limits</h2>
      <ul>
        <li>
          A requester can have at most 20 open proposals on your platform. The same two people can have at most 5 open
          proposals with each other.
        </li>
        <li>
          A person's daily maximum of meetings counts the reserved times of one proposal as one meeting, on each day
          that has one of these times.
        </li>
        <li>
          A proposal does not count toward your monthly limit. The meeting that Tandem books from a proposal counts.
        </li>
        <li>
          Tandem keeps a proposal for 30 days after its end, and an accepted proposal for 30 days after its meeting.
        </li>
      </ul>
    </DocsPage>
  );
}
