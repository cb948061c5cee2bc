import { dateIn } from '../../placeholders.ts';
import { Table } from '../components.tsx';
import { Block, Call, type Site } from './call.tsx';
import { DocsPage } from './frame.tsx';

/** The guide about booking many meetings at once. The examples search five days from `date` on. */
export function RoundsPage(site: Site) {
  const { date } = site;
  const end = dateIn(4);
  return (
    <DocsPage path="/docs/rounds">
      <p>
        For mentoring, introductions or interviews, your product matches many pairs of people, and Tandem should book
        all of their meetings at once. If you book pair by pair, each pair takes its best time, and a later pair with
        full calendars may find no time. Send all meetings, the whole <strong>round</strong>, in one call instead. The
        call makes a <strong>batch</strong>. Tandem places the meetings of a batch together: the pair with the fewest
        free times comes first, and Tandem moves a placed meeting if that makes room for another one.
      </p>
      <p>
        We measured this in generated weeks of a mentor who meets 24 people. If each pair is booked alone, the mentor
        loses 7.6&nbsp;% of the meetings that would fit. In a batch, the mentor loses none. If no person is in two
        pairs, a batch places no more meetings than single calls do.
      </p>
      <h2>1. See where the meetings would be</h2>
      <p>
        A batch has up to 2,000 meetings. The first attendee of each meeting is the requester, on whose calendar Tandem
        creates the event. <code>reference</code> is a name that you choose for the meeting. With <code>dry_run</code>,
        Tandem finds a time for each meeting but books nothing.
      </p>
      <Call
        site={site}
        path="/v1/schedule/batch"
        idempotencyKey="round-dry"
        body={{
          meetings: [
            { reference: 'ada-bob', attendees: ['ada@example.com', 'bob@example.com'] },
            { reference: 'ada-carol', attendees: ['ada@example.com', 'carol@example.com'], priority: 5 },
          ],
          date_range: { start_date: date, end_date: end },
          max_per_day: 3,
          dry_run: true,
        }}
      />
      <p>
        The response has the ID of the batch, <code>batch_id</code>. Tandem places the meetings in the background. For
        2,000 meetings of people whose calendars Tandem already follows, expect a minute or two.
      </p>
      <h2>2. Read the results</h2>
      <p>
        To read a batch, replace <code>batch_…</code> with its <code>batch_id</code>. While Tandem places the meetings,
        the <code>progress</code> of the batch rises from 0 to 1. A dry run is finished when its <code>status</code> is{' '}
        <code>planned</code>. The response has a page of the batch's meetings. To get the next page, send the{' '}
        <code>pagination.next_cursor</code> of this response as the query parameter <code>cursor</code>.
      </p>
      <Call site={site} path="/v1/batches/batch_…?limit=200" />
      <Table
        head={['State of a meeting', { name: 'Meaning', short: '' }]}
        rows={[
          [<code>open</code>, 'Tandem has not found a time for the meeting yet.'],
          [<code>placed</code>, 'The meeting has a provisional time, which is not booked.'],
          [
            <code>booked</code>,
            'The meeting is booked: both calendars have the event, and Tandem sent you meeting.scheduled.',
          ],
          [<code>unplaced</code>, 'No time is left for the meeting. The reason says why, and what would help.'],
          [
            <code>failed</code>,
            'Tandem could not search for or book the meeting, for example because a person is not connected.',
          ],
          [<code>cancelled</code>, 'You cancelled the batch before Tandem booked the meeting.'],
        ]}
      />
      <p>
        Every meeting of a batch ends as <code>booked</code>, <code>unplaced</code>, <code>failed</code> or{' '}
        <code>cancelled</code>. An unplaced or failed meeting has a reason:
      </p>
      <Table
        head={['Reason', 'Meaning', 'What helps']}
        rows={[
          [
            <code>NO_AVAILABILITY</code>,
            'The two people have no common free time.',
            'Apply one of the relaxations. Each relaxation is a change of a rule or of the search, with the number of free times that it would add.',
          ],
          [
            <code>TIMES_TAKEN</code>,
            'The two people have common free times, but other meetings of the batch need these times.',
            'Send a longer date_range, or a higher priority for this meeting.',
          ],
          [
            <code>ROUND_LIMIT</code>,
            'One of the two people has as many meetings as max_per_person allows.',
            'Send a larger max_per_person.',
          ],
          [
            <>
              <code>CALENDAR_NOT_FOUND</code> or <code>TOKEN_EXPIRED</code>
            </>,
            'One of the two people has no connected calendar.',
            'Let the person connect, then send the meeting in a new batch.',
          ],
          [
            <code>GOOGLE_API_ERROR</code>,
            'Google did not respond about one of the calendars, three times in a row.',
            'Send the meeting in a new batch in a few minutes.',
          ],
          [
            <code>USAGE_LIMIT_EXCEEDED</code>,
            'You have used all meetings of your monthly limit.',
            'Upgrade your plan, or wait until the next month.',
          ],
        ]}
      />
      <h2>3. Book it</h2>
      <p>
        To book the meetings of a dry run, commit the batch. Before Tandem books a meeting, it checks again that the
        time is free. If a time was taken since the dry run, Tandem finds another time for the meeting.
      </p>
      <Call site={site} method="POST" path="/v1/batches/batch_…/commit" />
      <p>
        Without <code>dry_run</code>, the first call places and also books the meetings. With or without{' '}
        <code>dry_run</code>, Tandem books each meeting of a batch exactly once, even if Tandem or your server fails in
        between. Send an <code>Idempotency-Key</code> with the first call. If the response is lost, send the same call
        again, and Tandem makes no second batch.
      </p>
      <p>
        To stop a batch, call <code>{'DELETE /v1/batches/{batch_id}'}</code>. Meetings that are already booked stay.
        Tandem does not book the other meetings.
      </p>
      <h2>4. Wait for the end</h2>
      <p>
        For each booked meeting, Tandem sends you the event <code>meeting.scheduled</code>. When each meeting of the
        batch is booked or has a reason why it is not, Tandem sends you the event <code>batch.completed</code> with the
        number of booked meetings. You receive <code>batch.completed</code> only if you name it in <code>events</code>.
        The list that you send in <code>events</code> replaces the previous list, so name every type of event that you
        want:
      </p>
      <Call
        site={site}
        method="PUT"
        path="/v1/platform/webhook"
        body={{
          url: 'https://acme.com/hooks/tandem',
          events: ['meeting.scheduled', 'meeting.rescheduled', 'meeting.cancelled', 'batch.completed'],
        }}
      />
      <p>
        Tandem's client can also wait until a batch has ended. <code>waitForBatch</code> reads the batch again and
        again, and <code>listBatchMeetings</code> reads all pages of its meetings:
      </p>
      <Block>{`const { batch_id } = await tandem.scheduleBatch({ meetings });
const { counts } = await tandem.waitForBatch(batch_id, {
  onProgress: ({ progress }) => console.log(progress),
});
const results = await tandem.listBatchMeetings(batch_id);`}</Block>
      <h2>From a spreadsheet</h2>
      <p>
        The command line of Tandem's client makes a batch from a CSV file. While Tandem works on the batch, the command
        shows the progress, and then a table of the results. With <code>--out</code>, the command also writes all
        results to a file.
      </p>
      <Block>{`npx @tandem-api/client batch round.csv --dry-run --from ${date} --to ${end} --out results.csv
npx @tandem-api/client batch commit batch_…`}</Block>
      <Block>{`reference,requester,attendee,duration_minutes,title,priority,metadata.cohort
ada-bob,ada@example.com,bob@example.com,30,"Mentoring, first talk",5,autumn
ada-carol,ada@example.com,carol@example.com,,,,autumn`}</Block>
      <Table
        head={['Column', { name: 'Content', short: '' }]}
        rows={[
          [
            <code>reference</code>,
            'Required. A name that you choose for the meeting. Each line of the file has a different reference.',
          ],
          [<code>requester</code>, 'Required. Email address of the first attendee, on whose calendar the event is.'],
          [<code>attendee</code>, 'Required. Email address of the second attendee.'],
          [
            <code>duration_minutes</code>,
            'Length of the meeting in minutes. By default, the length in the option --duration, or else 30 minutes.',
          ],
          [<code>title</code>, "Title of the event. By default Tandem makes one from the attendees' names."],
          [<code>context</code>, 'Kind of meeting, such as mentoring or interview.'],
          [<code>priority</code>, '0 to 9. Meetings with a higher priority get their times first.'],
          [
            <code>metadata.&lt;key&gt;</code>,
            'Value that Tandem stores in the metadata of the meeting, under this key.',
          ],
        ]}
      />
      <p>
        The CSV file is in UTF-8, with or without a byte order mark. Its fields are separated by commas, semicolons or
        tabs, and may be quoted. If the file has an error, the command sends nothing, and names the line and the column
        of the error. A column with a name that is not in the table above is also an error, so that the command ignores
        nothing in your file.
      </p>
      <p>
        Ctrl-C ends the command, but the batch continues. To follow the batch again, run{' '}
        <code>tandem batch show batch_… --wait</code>. To stop the batch, run <code>tandem batch cancel batch_…</code>.
        If you run the command twice with the same file within 24 hours, Tandem makes only one batch. The dashboard of
        your platform shows every batch too.
      </p>
      <h2>Limits</h2>
      <ul>
        <li>
          <code>max_per_person</code> and <code>max_per_day</code> limit the meetings of this batch for one person. Each
          person's own preferences apply as well.
        </li>
        <li>
          Each meeting that a batch books counts toward your monthly limit. If a batch has more meetings than the limit
          has left, Tandem refuses the whole batch with 429 <code>quota_exceeded</code> and books nothing. The error
          gives the limit and the number of meetings that you have used. Tandem checks the limit of a dry run when you
          commit the dry run.
        </li>
        <li>If one meeting of a batch fails, Tandem still places and books the other meetings.</li>
        <li>Tandem keeps a batch for 30 days after its end.</li>
      </ul>
    </DocsPage>
  );
}
