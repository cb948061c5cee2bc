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
        To search two calendars, Tandem needs both people's consent. Often only one of the two has connected a calendar:
        your recruiter, but not the candidate. Then make a <strong>proposal</strong>. A proposal offers the other person
        one to five times, and holds all of them until it ends. The person opens a link, sees the times on their own
        clock and chooses one. They need no account. Tandem then books the meeting and invites both people.
      </p>
      <p>
        A proposal also suits two connected people, if the second one should agree before anything is booked. Tandem
        then reads both calendars and holds the times for both.
      </p>
      <h2>1. Make a proposal</h2>
      <p>
        The first attendee is the requester, who must be connected. Without <code>times</code>, Tandem offers the best{' '}
        <code>count</code> times, 3 by default, each on another date where possible. If the second attendee is not
        connected, send their <code>guest_time_zone</code> if you know it. Otherwise the times only suit the day of the
        requester.
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
        You can also give the times yourself. Tandem refuses a time at which the requester is not free, and the error
        lists other times.
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
        The response has the <code>proposal_id</code>, the <code>times</code>, each with an <code>id</code>, and a{' '}
        <code>url</code>. Tandem sends no mail about a proposal, so send the <code>url</code> yourself. Send it to the
        second attendee alone, because whoever has it can answer. You can read it again at any time:
      </p>
      <Call site={site} path="/v1/proposals?status=open&email=grace@example.com" />
      <h2>What the person sees</h2>
      <ul>
        <li>
          The page shows the requester, the title, the length, and the times on the person's own clock with the
          requester's clock beside it. It shows nothing else of the requester's calendar. Tandem knows people by their
          address, so send <code>requester_name</code> with the proposal if the page should also show a name.
        </li>
        <li>
          The person chooses a time, says their name unless they are connected, and confirms. Tandem reads the
          requester's calendar once more. If the time is gone, the page says so, and the other times stay.
        </li>
        <li>
          “None of these” asks for other times in words, such as “Thursday after 15:00”, or declines, with a reason if
          the person gives one. If Tandem finds such times, it offers them in a new proposal.
        </li>
        <li>
          After that, the page shows the meeting and offers it as a calendar file. Until the meeting starts, the person
          can cancel it there, or propose another time: Tandem offers times that fit, in a new proposal with{' '}
          <code>moves_meeting_id</code>, and the meeting stays until one is chosen. Google also sends them an invitation
          by mail.
        </li>
        <li>Opening the link changes nothing, so a mail scanner or a chat preview does no harm.</li>
      </ul>
      <p>
        In every response and event about the proposal and its meeting, <code>attendee_details</code> marks the person
        with <code>"connected": false</code>. The meeting works like any other: you can move and cancel it, and{' '}
        <code>rsvps</code> shows the person's response. If the person connects a calendar later, the meeting is theirs
        too.
      </p>
      <h2>3. Receive the answer</h2>
      <p>
        You receive an event when a proposal ends, if you list its type in <code>events</code> of{' '}
        <code>PUT /v1/platform/webhook</code>. An acceptance also sends <code>meeting.scheduled</code>. The list
        replaces the previous one, so name every type that you want:
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
        head={['Event', 'What happened']}
        rows={[
          [<code>proposal.accepted</code>, 'A time was accepted. The event has the meeting.'],
          [<code>proposal.declined</code>, 'The person declined, or you did.'],
          [<code>proposal.countered</code>, 'The person asked for other times, and a new proposal offers some.'],
          [<code>proposal.expired</code>, 'Nobody answered in time.'],
          [<code>proposal.withdrawn</code>, 'You withdrew the proposal.'],
        ]}
      />
      <h2>Draw your own page</h2>
      <p>
        If the person answers in your product, pass the answer on. Replace <code>prop_…</code> and <code>time_…</code>{' '}
        with the IDs of the proposal and of one of its times:
      </p>
      <Call site={site} path="/v1/proposals/prop_…/accept" body={{ time_id: 'time_…' }} />
      <p>
        For somebody who is not connected, you can add <code>guest_name</code> and <code>guest_time_zone</code>.
      </p>
      <p>
        <code>{'POST /v1/proposals/{proposal_id}/decline'}</code> declines with an optional <code>reason</code>, and{' '}
        <code>{'DELETE /v1/proposals/{proposal_id}'}</code> withdraws. A proposal ends once. Repeating the call that
        ended it returns the same response. Any other call gets 409 <code>proposal_ended</code>. If the time has just
        become busy, you get 409 <code>time_unavailable</code>, which says how many times are left.
      </p>
      <h2>Agree on a move</h2>
      <p>
        With <code>meeting_id</code> in the request, a proposal offers other times for that meeting. The meeting stays
        as it is until somebody accepts one. <code>{'POST /v1/meetings/{meeting_id}/reschedule'}</code> with{' '}
        <code>"propose": true</code> reads the reason as always. Tandem then offers both people the best three times
        instead of moving the meeting at once:
      </p>
      <Call
        site={site}
        path="/v1/meetings/meet_…/reschedule"
        body={{ requested_by: 'grace@example.com', reason: 'Another day would suit me better', propose: true }}
      />
      <p>
        With <code>"on_decline": "propose"</code> in your settings, Tandem does so when an attendee declines in the
        calendar.
      </p>
      <h2>Expiry</h2>
      <p>
        A proposal expires after <code>expires_in_hours</code>, 48 by default and 336 at most, and at the latest when
        its last time begins. Its times are then free again. With <code>"on_expiry": "book_first"</code>, Tandem instead
        books the first time that is still free. Such a proposal expires at the latest 15 minutes before its earliest
        time.
      </p>
      <h2>Limits</h2>
      <ul>
        <li>A requester can have 20 open proposals on your platform, and two people 5 with each other.</li>
        <li>
          The times of one proposal count as one meeting toward the number of meetings that a person accepts on a day.
        </li>
        <li>A proposal does not count toward your monthly limit. The meeting that it becomes does.</li>
        <li>Tandem keeps a proposal for 30 days after its end, and an accepted one for 30 days after its meeting.</li>
      </ul>
    </DocsPage>
  );
}
