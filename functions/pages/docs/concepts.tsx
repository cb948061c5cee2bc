import { ranking } from '../../../lib/engine/rank/score.ts';
import { Table } from '../components.tsx';
import { BY_NOTICE, COMFORT, RANKED, written } from './concept-tables.ts';
import { DocsPage } from './frame.tsx';

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
        somebody whose meetings your product schedules. Tandem identifies a person by the email address of their Google
        account. A <strong>connection</strong> is a person's consent that your platform uses their calendar. A person
        who has connected to another platform is not connected to yours until they consent to yours too. Every person
        has a page of their own at <code>/me</code> on this host, where they sign in with Google. On their page at{' '}
        <code>/me</code>, a person can end your platform's access to their calendar at any time. On their page, a person
        can also create an API key of their own (<code>sk_user_…</code>). With a person's own API key, a program or an
        AI agent can read and change this one person's preferences.
      </p>
      <h2>Free time</h2>
      <p>A person is free at a time if all of these conditions are met:</p>
      <ul>
        <li>
          A free time is within the person's work hours and outside their focus blocks. A focus block is a weekly time
          that the person keeps free of meetings.
        </li>
        <li>
          A free time is not one that the person has ruled out in their own words, such as “no meetings on Friday
          afternoons”. People write rules in their own words into their preference <code>scheduling_context</code>.
        </li>
        <li>
          A free time is not on a public holiday in the person's country. A person can choose the public holidays of
          another country or of a region, or none at all.
        </li>
        <li>
          At a free time, the person's calendar shows no event, and the person has no other meeting that Tandem booked.
        </li>
        <li>
          A free time leaves the person's buffer free before and after their other meetings. The buffer is a pause of 0,
          15 or 30 minutes, which the person chooses.
        </li>
        <li>
          A free time is on a day on which the person has fewer meetings than the largest number that they accept per
          day.
        </li>
      </ul>
      <p>
        Tandem never treats a calendar that it cannot read as free. If Tandem cannot read a calendar, the search fails,
        and the error names the person.
      </p>
      <p>
        Tandem keeps a snapshot, a stored copy, of each person's busy times. Instead of reading a calendar again, a
        search may use the snapshot if the snapshot is at most 15 minutes old and Google has reported no change of the
        calendar since. In the response to a search, the field <code>calendars</code> has an entry for each of the two
        people. Each entry of the field <code>calendars</code> says when Tandem read that person's calendar, and whether
        the search used a snapshot. To make a search read both calendars again, add the query parameter{' '}
        <code>fresh</code>: <code>POST /v1/availability?fresh=true</code>.
      </p>
      <p>
        <code>POST /v1/schedule</code> books the time that you give, free or not. With <code>"require_free": true</code>{' '}
        in the body, Tandem reads both calendars again and refuses a time that is not free. A time is refused if it
        overlaps an event, another meeting or a focus block, if it is within somebody's buffer, or if somebody has
        reached their number of meetings on that day. A search offers no time within the next 15 minutes, but{' '}
        <code>POST /v1/schedule</code> accepts such a time, because you chose it. Even with{' '}
        <code>"require_free": true</code>, Tandem books a time outside somebody's work hours or on their public holiday,
        and says so in the field <code>warnings</code> of the response. <code>PUT /v1/meetings/{'{meeting_id}'}</code>{' '}
        moves a meeting to the time that you give, free or not. If Tandem chooses the time, with{' '}
        <code>POST /v1/schedule/auto</code> or <code>POST /v1/meetings/{'{meeting_id}'}/reschedule</code>, Tandem always
        reads both calendars again.
      </p>
      <p>
        A Google account can have several calendars. The calendars that make a person busy are called their blocking
        calendars: the main calendar and all other calendars that the person owns, unless they choose others on{' '}
        <code>/me</code>. A person is busy whenever an event on one of their blocking calendars says so. If Google
        returns nothing about one of a person's blocking calendars, the search fails, unless the calendar was deleted or
        is no longer shared with the person. Platforms never learn which calendars a person chose.
      </p>
      <h2>Ranking</h2>
      <p>
        A search ranks free times by a number that each time gets, called its <code>product</code>. The best time is the
        one with the highest product. The product of a time is 1, multiplied by the factor of each rule in the table
        below that applies to the time:
      </p>
      <Table
        head={['Name', 'Factor', 'When']}
        rows={ranking.map(({ name, multiplier }) => [<code key={name}>{name}</code>, multiplier, RANKED[name]])}
      />
      <p>
        The response of a search has at most 5 times, which do not overlap, best first. Each time in the response has
        its <code>factors</code> and a <code>reason</code>, a sentence that says what speaks for and against the time.
        Often several free times get the same <code>product</code>, so they rank equally by the ranking rules. Of times
        with the same product, a search first takes times on different days, then times that start at least two hours
        apart, then times on dates that people seldom take off, then times that somebody prefers, then the more
        comfortable ones. A time gives way to one that is at least one and a half times as comfortable if that costs
        little: on the same date, at most a tenth of the product. A time that somebody would rather avoid comes after
        all other times with the same product. People say what they prefer or would rather avoid in their{' '}
        <code>scheduling_context</code>. <code>POST /v1/availability/explain</code> takes any time and says why a search
        offers the time or not.
      </p>
      <h2>Comfort</h2>
      <p>
        By the ranking rules, many times are equally good: a free Tuesday at 14:00 has the same product as a free
        Tuesday at 15:00. Between times whose factors have the same product, the field <code>comfort</code> decides, a
        number from 0 to 1. Tandem offers the time with the higher comfort first. To compute the comfort of a time,
        Tandem multiplies the values in this table for each of the two people, on that person's own clock. In the table
        of comfort values, <i>m</i> is a number of minutes and <i>w</i> is a number of weeks. A value in the table that
        does not apply to a meeting counts as 1.
      </p>
      <Table
        head={['Name', 'Value', 'When']}
        rows={COMFORT.map(([name, value, when]) => [<code key={name}>{name}</code>, value, when])}
      />
      <p>
        Take as an example a meeting of half an hour on a Tuesday at 8:15, two days from now. The example meeting starts
        15 minutes after one person's work hours begin (<code>start_of_day</code> is 0.75). Right after the example
        meeting, the other person has another meeting (<code>next_to_a_meeting</code> is 0.6). The two days until the
        example meeting are 0.286 weeks (<code>lead_time</code> is 0.991). So the comfort of the example meeting is 0.75
        × 0.6 × 0.991 = 0.45. In the response of <code>POST /v1/availability/explain</code>, the field{' '}
        <code>comfort_factors</code> lists the values that make up the comfort, by name.
      </p>
      <h2>Letting Tandem choose</h2>
      <p>
        <code>POST /v1/schedule/auto</code> responds at once, with status 202 and the ID of a <strong>job</strong>. In
        the background, Tandem chooses a time by four things: the ranking of a search, the purpose of the meeting, the
        time of day at which each person is at their best (<code>energy_pattern</code>), and what Tandem has{' '}
        <a href="#learning">learned</a> about both people. Once Tandem has chosen a time, it reads both calendars once
        more and books the meeting. <code>GET /v1/jobs/{'{job_id}'}</code> shows the chosen time and the reason for it,
        and so does the webhook event <code>meeting.scheduling.completed</code>. When you let Tandem choose, you name
        the purpose of the meeting in the field <code>context</code> of the request. The purpose of the meeting also
        decides how much notice people get. The table below says how far in the future the meeting must be at least:
      </p>
      <Table
        head={['At least', 'For a context of']}
        rows={[...BY_NOTICE].map(([notice, names]) => [written(notice), <Names names={names} />])}
      />
      <h2>A meeting's life</h2>
      <p>
        Every meeting has a <code>status</code>. A new meeting has the status <code>scheduled</code>, and a changed
        meeting has the status <code>updated</code>. A meeting that no longer takes place has the status{' '}
        <code>cancelled</code>, or the status <code>rescheduled</code> if another meeting replaces it. There are two
        ways to move a meeting:
      </p>
      <ul>
        <li>
          <code>PUT /v1/meetings/{'{meeting_id}'}</code> moves the meeting to the time that you give. The meeting keeps
          its ID.
        </li>
        <li>
          <code>POST /v1/meetings/{'{meeting_id}'}/reschedule</code> takes a reason in a person's own words, such as
          “too early for me”, “Thursday instead” or “after the 3rd”. Tandem finds another time that fits the person's
          reason. A new meeting with a new ID replaces the old meeting, whose field <code>rescheduled_to</code> has the
          new ID. When Tandem reschedules a meeting, the event on the calendars and its video link stay the same.
        </li>
      </ul>
      <p>
        Your plan limits the number of meetings that you can book in a month. Moving or rescheduling a meeting does not
        count toward your plan's monthly limit. Replacing the second attendee with{' '}
        <code>PUT /v1/meetings/{'{meeting_id}'}</code> counts as one more meeting in the month in which you replace the
        attendee.
      </p>
      <p>
        People also change meetings in Google Calendar itself. Tandem adopts the changes that people make in Google
        Calendar, and sends you an event for each change. People's responses to the invitation appear in the meeting's
        field <code>rsvps</code>. If a person moves the calendar event, Tandem moves the meeting. If a person deletes
        the calendar event, Tandem cancels the meeting. Google notifies Tandem of each change in a calendar. If a
        notification from Google is lost, Tandem still finds the change within 15 minutes. If a person declines an
        invitation, the meeting stays, and you receive one event. To have Tandem cancel or reschedule a declined
        meeting, set <code>on_decline</code> with <code>PUT /v1/platform/settings</code>.
      </p>
      <p>
        Use the field <code>metadata</code> to find a meeting again in your own system, for example by an order number.
        The field <code>metadata</code> holds up to 20 pairs of strings, with keys of at most 40 characters and values
        of at most 500. You send <code>metadata</code> when you book a meeting. Tandem returns the <code>metadata</code>{' '}
        in every response, list, event and job result about the meeting. A meeting that replaces another has the same{' '}
        <code>metadata</code>. Tandem never writes <code>metadata</code> to the calendar. You can change{' '}
        <code>metadata</code> with <code>PUT /v1/meetings/{'{meeting_id}'}</code>, which also requires the meeting's
        times. When you change <code>metadata</code>, a key that you send gets its new value, a key with the value{' '}
        <code>""</code> or <code>null</code> is removed, and all other keys stay.
      </p>
      <h2>Fairness over time</h2>
      <p>
        If two people live in distant time zones, one of them may have to meet before 8:00 or after 18:00. When Tandem
        chooses a time itself, it lets the two people take turns with meetings before 8:00 or after 18:00. Of times that
        are otherwise equally good, Tandem chooses one that has fewer minutes before 8:00 or after 18:00 for the person
        who already has more such minutes. To know whose turn it is, Tandem counts the minutes before 8:00 or after
        18:00 in the two people's meetings with each other, from 90 days ago on. The field{' '}
        <code>fairness.carried_minutes</code> in the result of a job or a reschedule shows for each person their minutes
        of meetings before 8:00 or after 18:00. A search (<code>POST /v1/availability</code>) does not consider
        fairness.
      </p>
      <h2>Requests and lists</h2>
      <p>
        Tandem is lenient about how you write the body of a request. A field with the value <code>null</code> counts as
        not sent. Weekdays and time zone names may be in upper or lower case. If you send a field that does not exist,
        Tandem ignores it. The field <code>warnings</code> of the response names the unknown field, and the field that
        you probably meant. Only <code>PUT /v1/user/preferences</code> and <code>PUT /v1/platform/settings</code> refuse
        unknown fields with an error, because a misspelled setting must not look saved.
      </p>
      <p>
        A request for a list returns all items of the list in a stable order. With the query parameter{' '}
        <code>limit</code> (1 to 200), you get the list in pages with that number of items.{' '}
        <code>GET /v1/platform/webhook/logs</code> and <code>GET /v1/meetings</code> always return pages, with 50 items
        unless you send a <code>limit</code>. To get the next page, send the <code>pagination.next_cursor</code> of the
        last response as the query parameter <code>cursor</code>.
      </p>
      <h2 id="learning">Learning</h2>
      <p>
        For each person, Tandem keeps learned weights, numbers that say how well different times of day, weekdays and
        pauses between meetings suit them. A person's learned weights change the ranking when Tandem chooses a time
        itself. When a person gives a reason for rescheduling, such as “mornings are too early for me”, Tandem lowers
        the weights that the reason speaks against by a fifth, or raises the weights that the reason speaks for by a
        quarter. A person can see each change of their weights, with the words that caused the change, and can undo one
        change or all changes: on <code>/me</code>, or with a key of their own at <code>/v1/user/learning</code>.
      </p>
    </DocsPage>
  );
}
