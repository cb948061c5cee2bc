import { CONTEXTS } from '../../../lib/engine/rank/contexts.ts';
import { type RuleName, ranking } from '../../../lib/engine/rank/score.ts';
import { DAY_MINUTES } from '../../../lib/engine/time/dates.ts';
import { Table } from '../components.tsx';
import { DocsPage } from './frame.tsx';

const written = (minutes: number) =>
  minutes % DAY_MINUTES === 0
    ? `${minutes / DAY_MINUTES} day`
    : minutes % 60 === 0
      ? `${minutes / 60} hours`
      : `${minutes} minutes`;

const BY_NOTICE = new Map(
  [...Map.groupBy(Object.entries(CONTEXTS), ([, { notice }]) => notice)]
    .sort(([one], [other]) => one - other)
    .map(([notice, contexts]) => [notice, contexts.map(([name]) => name)]),
);

/** The meetings to which each rule of the ranking applies. */
const RANKED: Record<RuleName, string> = {
  timezone_fairness: 'The meeting begins before 8:00 or ends after 18:00 for either person.',
  mid_morning: 'The meeting starts from 10:00 to before 11:00 for the requester, who is the first attendee.',
  friday_afternoon: 'The meeting starts on a Friday from 14:00 on for either person.',
  lunch_hour: 'The meeting overlaps 12:00 to 13:00 for either person.',
  recency: 'The meeting starts at most 3 days from now.',
};

/**
 * The published formula of comfort. Each row has the name of a part, its value, and the meetings to which that value
 * applies.
 */
const COMFORT = [
  ['start_of_day', '0.5 + 0.5 × m ÷ 30', 'The meeting starts m < 30 minutes after the work hours begin.'],
  [
    'start_of_day',
    '0.4 + 0.6 × m ÷ 60',
    'On a Monday, in place of the row above: the meeting starts m < 60 minutes after the work hours begin.',
  ],
  ['end_of_day', '0.5 + 0.5 × m ÷ 60', 'The meeting ends m < 60 minutes before the work hours end.'],
  [
    'end_of_day',
    '0.4 + 0.6 × m ÷ 60',
    'On a Friday, in place of the row above: the meeting ends m < 60 minutes before the work hours end.',
  ],
  [
    'next_to_a_meeting',
    '0.8',
    'Another meeting or a focus block is less than 10 minutes away, before or after this one.',
  ],
  [
    'next_to_a_meeting',
    '0.6',
    'Other meetings or focus blocks are less than 10 minutes away, both before and after this one.',
  ],
  [
    'free_stretch',
    '0.9 + 0.1 × m ÷ 120',
    'The longest free time that the person still has on that date, beside the meeting, is m < 120 minutes.',
  ],
  ['half_day', '0.5', 'The meeting starts on 24 or 31 December.'],
  ['short_notice', '0.25', 'The meeting starts less than 2 hours from now. This counts once, not for each person.'],
  [
    'lead_time',
    '1 − 0.03 × w',
    'The meeting starts w weeks from now. The value is at least 0.5. This counts once, not for each person.',
  ],
] as const;

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

/** The page about the terms of the API and how the service works. */
export function ConceptsPage() {
  return (
    <DocsPage path="/docs/concepts">
      <h2>Platforms and people</h2>
      <p>
        A <strong>platform</strong> is your product. A platform has a secret key (<code>sk_live_…</code>) for its
        servers and a publishable key (<code>pk_live_…</code>) that may appear in links. A <strong>person</strong> is
        somebody whose calendar you schedule on. The email address of their Google account identifies a person. A{' '}
        <strong>connection</strong> is a person's consent that your platform uses their calendar. A person who has
        connected to another platform is not connected to yours until they consent to yours too. Every person has a page
        of their own at <code>/me</code> on this host, where they sign in with Google. There a person can end your
        connection at any time. There they can also create a key of their own (<code>sk_user_…</code>). With that key, a
        program or an AI agent can read and change this one person's preferences.
      </p>
      <h2>Free time</h2>
      <p>A person is free at a time if all of these are true:</p>
      <ul>
        <li>
          The time is within the person's work hours and outside their focus blocks. A focus block is a weekly time that
          the person keeps free of meetings.
        </li>
        <li>
          The person has not ruled the time out in their own words, such as “no meetings on Friday afternoons”. People
          write such words into the preference <code>scheduling_context</code>.
        </li>
        <li>
          The day is not a public holiday in the person's country. A person can choose another country, a region, or no
          holidays at all.
        </li>
        <li>
          The person's calendar shows nothing at that time, and no other meeting that Tandem booked for them overlaps
          it.
        </li>
        <li>
          The time leaves the person's buffer free before and after their other meetings. The buffer is a pause of 0, 15
          or 30 minutes, which the person chooses.
        </li>
        <li>The person has not reached the number of meetings that they accept on one day.</li>
      </ul>
      <p>
        Tandem never treats a calendar that it cannot read as free: the search fails, and the error names the person.
      </p>
      <p>
        Tandem keeps a snapshot of each person's busy times. A search may use the snapshot if it is at most 15 minutes
        old and Google has reported no change of the calendar since. In the response to a search, the field{' '}
        <code>calendars</code> has an entry for each of the two people. The entry says when that person's calendar was
        read, and whether a snapshot was used. To make a search read both calendars again, add the query parameter{' '}
        <code>fresh</code>: <code>POST /v1/availability?fresh=true</code>.
      </p>
      <p>
        <code>POST /v1/schedule</code> books the time that you give, free or not. With <code>"require_free": true</code>{' '}
        in the body, Tandem reads both calendars again and refuses a time that is not free: it overlaps an event,
        another meeting or a focus block, it is within somebody's buffer, or somebody has reached their number of
        meetings for the day. Tandem accepts a time that begins soon, because you chose it. Tandem also books a time
        outside somebody's work hours or on their public holiday, and then the field <code>warnings</code> of the
        response says so. <code>PUT /v1/meetings/{'{meeting_id}'}</code> moves a meeting to the time that you give, free
        or not. If Tandem chooses the time, with <code>POST /v1/schedule/auto</code> or <code>/reschedule</code>, it
        always reads both calendars again.
      </p>
      <p>
        A Google account can have several calendars. Those that make a person busy are called their blocking calendars:
        the main calendar and all others that the person owns, unless they choose others on <code>/me</code>. A person
        is busy whenever an event on one of these calendars says so. If Google returns nothing about one of these
        calendars, the search fails, unless the calendar was deleted or is no longer shared with the person. Platforms
        never learn which calendars a person chose.
      </p>
      <h2>Ranking</h2>
      <p>
        A search gives every free time a number, its <code>product</code>. The time with the highest product is the
        best. The product is 1, multiplied by a factor for each of these rules that applies to the time:
      </p>
      <Table
        head={['Name', 'Factor', 'When']}
        rows={ranking.map(({ name, multiplier }) => [<code key={name}>{name}</code>, multiplier, RANKED[name]])}
      />
      <p>
        The response has up to 5 times that do not overlap, best first. Each has its <code>factors</code> and a{' '}
        <code>reason</code>, a sentence that says what speaks for and against the time. Many times have the same
        product. From these, a search first takes times on different days, then times that start at least two hours
        apart, then times on other dates than 24 and 31 December, then times that somebody prefers, then the more
        comfortable ones. A time that somebody would rather avoid comes after all others with the same product. People
        say what they prefer or would rather avoid in their <code>scheduling_context</code>.{' '}
        <code>POST /v1/availability/explain</code> takes any time and says why a search does or does not offer it.
      </p>
      <h2>Comfort</h2>
      <p>
        The rules above leave many times with the same product: a free Tuesday at 14:00 is as good as one at 15:00. The
        field <code>comfort</code> decides between such times. It is a number from 0 to 1. The time with the higher
        number is offered first. Tandem multiplies the values in this table for each of the two people, on that person's
        own clock. <i>m</i> is a number of minutes and <i>w</i> a number of weeks. A row that does not apply counts as
        1.
      </p>
      <Table
        head={['Name', 'Value', 'When']}
        rows={COMFORT.map(([name, value, when]) => [<code key={name}>{name}</code>, value, when])}
      />
      <p>
        An example: a meeting of half an hour on a Tuesday at 8:15, two days from now. It starts 15 minutes after one
        person's work hours begin (<code>start_of_day</code> is 0.75). Right after it, the other person has another
        meeting (<code>next_to_a_meeting</code> is 0.8). Two days are 0.286 weeks (<code>lead_time</code> is 0.991). The
        comfort is 0.75 × 0.8 × 0.991 = 0.59. In the response of <code>POST /v1/availability/explain</code>, the field{' '}
        <code>comfort_factors</code> lists these values by name.
      </p>
      <h2>Letting Tandem choose</h2>
      <p>
        <code>POST /v1/schedule/auto</code> responds at once, with status 202 and the ID of a <strong>job</strong>. In
        the background, Tandem chooses a time by four things: the ranking above, the purpose of the meeting, the time of
        day at which each person is at their best (<code>energy_pattern</code>), and what it has{' '}
        <a href="#learning">learned</a> about both people. Tandem then reads both calendars once more and books the
        meeting. <code>GET /v1/jobs/{'{job_id}'}</code> shows the chosen time and the reason for it, and so does the
        webhook event <code>meeting.scheduling.completed</code>. You name the purpose of the meeting in the field{' '}
        <code>context</code> of the request. The purpose also decides how long before the meeting it must be booked, so
        that people have notice:
      </p>
      <Table
        head={['At least', 'For a context of']}
        rows={[...BY_NOTICE].map(([notice, names]) => [written(notice), <Names names={names} />])}
      />
      <h2>A meeting's life</h2>
      <p>
        Every meeting has a <code>status</code>. A new meeting has the status <code>scheduled</code>, and a changed one{' '}
        <code>updated</code>. A meeting that no longer takes place is <code>cancelled</code>, or{' '}
        <code>rescheduled</code> if another meeting replaces it. There are two ways to move a meeting:
      </p>
      <ul>
        <li>
          <code>PUT /v1/meetings/{'{meeting_id}'}</code> moves the meeting to the time that you give. The meeting keeps
          its ID.
        </li>
        <li>
          <code>POST /v1/meetings/{'{meeting_id}'}/reschedule</code> takes a reason in a person's own words, such as
          “too early for me”, “Thursday instead” or “after the 3rd”. Tandem finds another time that fits the reason. A
          new meeting with a new ID replaces the old one, whose field <code>rescheduled_to</code> has the new ID. The
          event on the calendars and its video link stay the same.
        </li>
      </ul>
      <p>
        Your plan limits the number of meetings that you can book in a month. Moving or rescheduling a meeting does not
        count toward this limit. If you replace the second attendee with <code>PUT</code>, the change uses up one
        meeting of the month in which you make it.
      </p>
      <p>
        People also change meetings in Google Calendar itself. Tandem adopts these changes and sends you an event for
        each. People's responses to the invitation appear in the meeting's field <code>rsvps</code>. If a person moves
        the calendar event, Tandem moves the meeting. If a person deletes the calendar event, Tandem cancels the
        meeting. Google notifies Tandem of each change. If such a notification is lost, Tandem still finds the change
        within 15 minutes. If a person declines, the meeting stays, and you receive one event. To have Tandem cancel or
        reschedule a declined meeting instead, set <code>on_decline</code> with <code>PUT /v1/platform/settings</code>.
      </p>
      <p>
        Use the field <code>metadata</code> to find a meeting again in your own system, for example by an order number.
        It holds up to 20 pairs of strings, with keys of at most 40 characters and values of at most 500. You send{' '}
        <code>metadata</code> when you book. Tandem returns the <code>metadata</code> in every response, list, event and
        job result about the meeting. A meeting that replaces another has the same <code>metadata</code>. Tandem never
        writes it to the calendar. You can change it with <code>PUT /v1/meetings/{'{meeting_id}'}</code>, which also
        requires the meeting's times. A key you send gets its new value, a key with the value <code>""</code> or{' '}
        <code>null</code> is removed, and all other keys stay.
      </p>
      <h2>Fairness over time</h2>
      <p>
        If two people live in distant time zones, one of them may have to meet before 8:00 or after 18:00. When Tandem
        chooses a time itself, it makes the two people take turns: among otherwise equally good times, it chooses one
        that adds less to the person who has met outside those hours for longer. For that, Tandem counts the minutes
        outside those hours in the two people's meetings with each other, from 90 days ago on. The field{' '}
        <code>fairness.carried_minutes</code> in the result of a job or a reschedule shows these minutes for each
        person. A search (<code>POST /v1/availability</code>) does not consider fairness.
      </p>
      <h2>Requests and lists</h2>
      <p>
        Tandem is lenient about how you write the body of a request. A field with the value <code>null</code> counts as
        not sent. Weekdays and time zone names may be in upper or lower case. If you send a field that does not exist,
        Tandem ignores it. The field <code>warnings</code> of the response then names it, and the field that you
        probably meant. Only <code>PUT /v1/user/preferences</code> and <code>PUT /v1/platform/settings</code> refuse
        such fields with an error, because a misspelled setting must not look saved.
      </p>
      <p>
        A list returns all its items in a stable order. With the query parameter <code>limit</code> (1 to 200) you get
        the list in pages of that size. <code>GET /v1/platform/webhook/logs</code> and <code>GET /v1/meetings</code>{' '}
        always return pages, with 50 items unless you send a <code>limit</code>. To get the next page, send the{' '}
        <code>pagination.next_cursor</code> of the last response as the query parameter <code>cursor</code>.
      </p>
      <h2 id="learning">Learning</h2>
      <p>
        For each person, Tandem keeps weights that say how well different times of day, weekdays and pauses between
        meetings suit them. The weights change the ranking when Tandem chooses a time itself. When a person gives a
        reason for rescheduling, such as “mornings are too early for me”, Tandem lowers the weights that the reason
        speaks against by a fifth, or raises those it speaks for by a quarter. The person can see each change, with the
        words that caused it, and can undo one change or all of them: on <code>/me</code>, or with a key of their own at{' '}
        <code>/v1/user/learning</code>.
      </p>
    </DocsPage>
  );
}
