import { Table } from '../components.tsx';
import { DocsPage } from './frame.tsx';

/** The page about times and time zones. Its examples are on `date`. */
export function TimePage({ date }: { date: string }) {
  return (
    <DocsPage path="/docs/time">
      <h2>Writing a time</h2>
      <p>
        Send a time as an ISO 8601 date-time, either with its offset from UTC (<code>{`${date}T14:00+01:00`}</code>) or
        in UTC (<code>{`${date}T13:00:00Z`}</code>). Seconds are optional. Tandem refuses a date-time without an offset,
        because it would have to guess the time zone.
      </p>
      <h2>Reading a time</h2>
      <Table
        head={['Where', 'Format']}
        rows={[
          [
            <>
              The times that a search offers (<code>slots</code>), and the <code>chosen_slot</code> of a job
            </>,
            <>
              With the offset of the requester's time zone. The requester is the first attendee. The{' '}
              <code>attendees</code> of a slot also give the start on each person's own clock.
            </>,
          ],
          [
            'All other times: of meetings, webhook events and logs',
            <>
              In UTC, ending in <code>Z</code>.
            </>,
          ],
          [
            'Sentences, such as a reason',
            "With the weekday and the clock time on both people's clocks, and the cities of their time zones.",
          ],
        ]}
      />
      <h2>Which time zone applies</h2>
      <Table
        head={['What is read on a clock', 'Whose clock']}
        rows={[
          [
            <>
              The dates of a <code>date_range</code>, “today”, the quarter hours at which offered times start, and the
              hour from 10:00 that ranks higher
            </>,
            "The requester's",
          ],
          [
            'Work hours, focus blocks, the number of meetings per day, public holidays, lunch, Friday afternoon, and the hours before 8:00 and after 18:00',
            "Each person's own",
          ],
          ['The month of the monthly limit', 'UTC'],
        ]}
      />
      <p>
        A person's time zone is the one that the person set in their preferences, or else the time zone of their Google
        Calendar. On the day on which the clocks go forward or back, work hours that span the change are an hour shorter
        or longer. Tandem never offers an hour that the clocks skip. If the clocks show an hour twice, Tandem searches
        both of these hours.
      </p>
      <h2>Which dates a search covers</h2>
      <p>
        Without a <code>date_range</code>, a search starts today and covers as many days as the requester's preference{' '}
        <code>availability_window_days</code> says (14 unless they changed it). A <code>date_range</code> has a{' '}
        <code>start_date</code> and an <code>end_date</code>. You can leave out either of them, and both belong to the
        range. A range has at most 90 days. A search offers no time that begins within the next 15 minutes.
      </p>
    </DocsPage>
  );
}
