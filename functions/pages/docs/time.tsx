import { DocsPage } from './frame.tsx';

/** The page about times and time zones. Its examples are on `date`. */
export function TimePage({ date }: { date: string }) {
  return (
    <DocsPage path="/docs/time">
      <h2>Writing a time</h2>
      <p>
        Send a time as an ISO 8601 date-time, either with its offset from UTC (<code>{`${date}T14:00+01:00`}</code>) or
        in UTC (<code>{`${date}T13:00:00Z`}</code>). Seconds are optional. Tandem refuses a date-time without an offset,
        because Tandem would have to guess the time zone.
      </p>
      <h2>Reading a time</h2>
      <ul>
        <li>
          The times that a search offers (<code>slots</code>) and the <code>chosen_slot</code> of a job have the offset
          of the requester's time zone. The requester is the first attendee. The field <code>attendees</code> of a slot
          also gives the start on each person's own clock.
        </li>
        <li>
          All times in responses and events other than offered and chosen slots, such as the times of meetings and logs,
          are in UTC and end in <code>Z</code>.
        </li>
        <li>
          Sentences, such as the reason for a time, give the weekday and the time on both people's clocks, with the
          cities of their time zones.
        </li>
      </ul>
      <h2>Which time zone applies</h2>
      <ul>
        <li>
          The requester's time zone applies to the dates of a <code>date_range</code>, to “today”, to the quarter hours
          at which offered times start, and to the hour from 10:00 to 11:00, whose times rank higher.
        </li>
        <li>
          Each person's own time zone applies to work hours, focus blocks, the number of meetings per day, public
          holidays, lunch, Friday afternoon, and the hours before 8:00 and after 18:00.
        </li>
        <li>The month of the monthly limit is a calendar month in UTC.</li>
      </ul>
      <p>
        A person's time zone is the time zone that the person set in their preferences, or else the time zone of their
        Google Calendar. On the day on which the clocks go forward or back, work hours that span the change of the
        clocks are an hour shorter or longer. Tandem never offers an hour that the clocks skip. If the clocks go back
        and show an hour twice, Tandem searches both hours.
      </p>
      <h2>Which dates a search covers</h2>
      <p>
        Without a <code>date_range</code>, a search starts today and covers as many days as the requester's preference{' '}
        <code>availability_window_days</code> says (14 unless they changed it). A <code>date_range</code> has a{' '}
        <code>start_date</code> and an <code>end_date</code>. You can leave out <code>start_date</code> or{' '}
        <code>end_date</code>, and both dates belong to the range. A <code>date_range</code> has at most 90 days. A
        search offers no time that begins within the next 15 minutes.
      </p>
    </DocsPage>
  );
}
