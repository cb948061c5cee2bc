import { CONTEXTS } from '../../../lib/scheduling/contexts.ts';
import { Table } from '../components.tsx';
import { DocsPage } from './frame.tsx';

const MINUTES_A_DAY = 24 * 60;
const written = (minutes: number) =>
  minutes % MINUTES_A_DAY === 0
    ? `${minutes / MINUTES_A_DAY} day`
    : minutes % 60 === 0
      ? `${minutes / 60} hours`
      : `${minutes} minutes`;

const BY_NOTICE = new Map(
  [...Map.groupBy(Object.entries(CONTEXTS), ([, { notice }]) => notice)]
    .sort(([one], [other]) => one - other)
    .map(([notice, contexts]) => [notice, contexts.map(([name]) => name)]),
);

const Names = ({ names }: { names: string[] }) => (
  <>
    {names.map((name, at) => (
      <>
        {at === 0 ? '' : ', '}
        <code>{name}</code>
      </>
    ))}
  </>
);

/** Who and what the API speaks of. */
export function ConceptsPage() {
  return (
    <DocsPage path="/docs/concepts">
      <h2>Platforms and people</h2>
      <p>
        A <strong>platform</strong> is you: a product with a secret key (<code>sk_live_…</code>) for its servers and a
        publishable key (<code>pk_live_…</code>) that may stand in a link. A <strong>person</strong> is known by the
        address of their Google account. A <strong>connection</strong> is one person's consent to one platform; what
        another platform was allowed gives you nothing, and a person can end yours at any time on <code>/me</code>.
        There they also make a key of their own (<code>sk_user_…</code>), for their preferences and for agents that act
        for them alone.
      </p>
      <h2>Free</h2>
      <p>
        A person is free within their work hours, outside their focus blocks, where their calendar says nothing is in
        the way, no meeting made by Tandem stands, and their buffer before and after is kept; and not on a day that
        already has as many meetings as they take. A calendar that cannot be read is never taken for an empty one: the
        search fails and names the person.
      </p>
      <p>
        Searches may answer from a snapshot that is at most 15 minutes old and of which no change is known;{' '}
        <code>calendars</code> tells when each was read, and <code>?fresh=true</code> reads at once. A booking with{' '}
        <code>require_free</code>, an automatic one and a reschedule always read; a plain booking and <code>PUT</code>{' '}
        take the time you give. <code>require_free</code> asks whether anything is in the way: an event, another
        meeting, a buffer, a full day. Work hours, focus blocks and notice it leaves to you, who chose the time.
      </p>
      <p>
        A person is busy when any calendar that blocks their time says so: the main one and those they own, unless they
        choose others on <code>/me</code>. A chosen calendar that Google tells nothing of is never taken for free: the
        search fails, unless it was deleted or is no longer shared. Platforms never learn which calendars these are.
      </p>
      <h2>Ranking</h2>
      <p>
        Every candidate has a <code>product</code> of <code>factors</code>: mid-morning of the requester is better,
        lunch and Friday afternoon are worse, outside 8:00 to 18:00 of either person is much worse, within three days is
        a little better. Up to five times are offered, none overlapping another; of equally good ones those of different
        days first, then of different parts of the day. Each has its <code>reason</code>.{' '}
        <code>POST /v1/availability/explain</code> says of any time why it is or is not among them.
      </p>
      <h2>Letting Tandem choose</h2>
      <p>
        <code>POST /v1/schedule/auto</code> answers 202 with a <strong>job</strong>. In the background one time is
        picked, by the same ranking, what the meeting is for, both people's energy and what was learned about them;
        checked against both calendars once more; and booked. <code>GET /v1/jobs/{'{job_id}'}</code> and the event{' '}
        <code>meeting.scheduling.completed</code> tell the time and why. A <code>context</code> says what the meeting is
        for, and with it how much notice people want:
      </p>
      <Table
        head={['Notice', 'context']}
        rows={[...BY_NOTICE].map(([notice, names]) => [written(notice), <Names names={names} />])}
      />
      <h2>A meeting's life</h2>
      <p>
        A meeting is <code>scheduled</code>, then perhaps <code>updated</code>, and may end as <code>cancelled</code> or{' '}
        <code>rescheduled</code>. <code>PUT</code> sets the time you give. <code>/reschedule</code> lets Tandem find
        another one that meets the reason as it was put (“too early for me”, “Thursday instead”, “after the 3rd”): the
        calendar event and its link stay, the meeting goes on under a new id, and the old one names it in{' '}
        <code>rescheduled_to</code>. What people do in Google comes back: answers stand in <code>rsvps</code>, a moved
        event moves the meeting, a deleted one cancels it. Google pushes such changes; should a push get lost, they are
        found within a quarter of an hour. A decline cancels nothing by itself: you hear of it once, and{' '}
        <code>on_decline</code> in the settings may have the meeting cancelled or rescheduled instead.
      </p>
      <p>
        What you need to find a meeting again in your own system goes into its <code>metadata</code>: up to 20 pairs of
        strings, keys of at most 40 characters, values of at most 500. You send them when you book, and every answer,
        list, event and job result has them; they go along when a meeting is rescheduled, and never onto the calendar.{' '}
        <code>PUT</code>, which takes the times as ever, merges: a key you send gets its value, <code>""</code> or{' '}
        <code>null</code> removes it, the others stay.
      </p>
      <h2>Fair over time</h2>
      <p>
        Where two people's days do not meet, somebody meets outside 8:00 to 18:00. Among times that are otherwise
        equally good, Tandem picks the one that shares this better, by the pair's meetings from 90 days ago on;{' '}
        <code>fairness.carried_minutes</code> shows what each carries. A search keeps its ranking and knows nothing of
        it.
      </p>
      <h2>Requests and lists</h2>
      <p>
        Bodies are read as people write them: <code>null</code> means not given, weekdays and zone names in upper or
        lower case. An unknown field is named in the answer's <code>warnings</code>, with the one that was probably
        meant; preferences and settings refuse it, as a misspelt setting must not look saved. A list is answered whole
        and in a stable order, unless <code>limit</code> (1 to 200) asks for pages; the webhook log and{' '}
        <code>GET /v1/meetings</code> have 50 a page without it. <code>pagination.next_cursor</code> is the next page's{' '}
        <code>cursor</code>.
      </p>
      <h2>Learning</h2>
      <p>
        The reason for a move also changes the weights of whoever gave it for times of day, weekdays and buffers, by a
        fifth or a quarter. Each change is listed with the words it came from; the person can undo one or forget all.
      </p>
    </DocsPage>
  );
}
