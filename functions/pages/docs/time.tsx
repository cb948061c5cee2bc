import { Table } from '../components.tsx';
import { DocsPage } from './frame.tsx';

/** Whose clock counts where, and how times are written. */
export function TimePage() {
  return (
    <DocsPage path="/docs/time">
      <h2>Writing a time</h2>
      <p>
        A date-time you send is ISO 8601 and says where it is: with an offset (<code>2026-12-01T14:00+01:00</code>) or
        in UTC (<code>2026-12-01T13:00:00Z</code>). Seconds may be left out. A time without an offset is refused: whose
        clock it means would be a guess.
      </p>
      <h2>Reading a time</h2>
      <Table
        head={['Where', 'How it is written']}
        rows={[
          [
            <>
              Slots, and the <code>chosen_slot</code> of a job
            </>,
            <>
              with the offset of the requester's zone; <code>attendees</code> has each person's own local start and zone
            </>,
          ],
          [
            'All else: meetings, events, logs',
            <>
              in UTC, ending in <code>Z</code>
            </>,
          ],
          ['Sentences for people', 'weekday, date and clock time of both, with the name of the zone'],
        ]}
      />
      <h2>Whose clock</h2>
      <Table
        head={['What', 'Whose zone']}
        rows={[
          [
            <>
              <code>date_range</code>, “today”, the quarter hours on which times start, lunch, mid-morning
            </>,
            'the requester: the first of the attendees',
          ],
          ['Work hours, focus blocks, meetings a day', "each person's own"],
          ['“Outside 8:00 to 18:00”', "each person's own"],
          ['The monthly limit', 'UTC'],
        ]}
      />
      <p>
        A person's zone is the one they set, else their Google Calendar's. When the clocks change, a day has 23 or 25
        hours, and work hours that span the change are shorter or longer: an hour that does not exist is never offered,
        and of an hour that comes twice both are looked at.
      </p>
      <h2>Windows</h2>
      <p>
        Without a <code>date_range</code> a search covers today and the days after it, as many as the requester's{' '}
        <code>availability_window_days</code> (14 unless set). With one, both dates count, either end alone is enough,
        and it may span up to 90 days. Nothing is offered within the next 15 minutes.
      </p>
    </DocsPage>
  );
}
