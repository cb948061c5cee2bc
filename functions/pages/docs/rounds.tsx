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
        Mentoring, introductions, interviews: your product matches people, and all meetings must be booked by the
        morning. If you book pair by pair, each pair takes its best time, and whoever has a full calendar is asked last
        and gets nothing. Send the whole <strong>round</strong> in one call instead. Tandem then places the meetings
        together. The pair with the fewest free times comes first, and meetings move if that makes room for another one.
      </p>
      <p>
        In generated weeks, a mentor with 24 people loses 7.6&nbsp;% of the meetings that fit if each pair is booked
        alone, and none in a batch. Where nobody is in two pairs, a batch places no more than single calls do.
      </p>
      <h2>1. See where the meetings would be</h2>
      <p>
        Send up to 2,000 meetings. The first attendee of each is the requester, and <code>reference</code> is your own
        name of the meeting. With <code>dry_run</code>, Tandem places the meetings and books nothing.
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
        The answer has the <code>batch_id</code>. The work goes on in the background: count on a minute or two for 2,000
        meetings of people whose calendars Tandem already follows.
      </p>
      <h2>2. Read the results</h2>
      <p>
        Replace <code>batch_…</code> with the ID. A dry run is done when its <code>status</code> is <code>planned</code>
        . Before that, <code>progress</code> rises from 0 to 1. To get the next page, send{' '}
        <code>pagination.next_cursor</code> as <code>cursor</code>.
      </p>
      <Call site={site} path="/v1/batches/batch_…?limit=200" />
      <Table
        head={['State of a meeting', 'Meaning']}
        rows={[
          [<code>open</code>, 'Tandem has no time for it so far.'],
          [<code>placed</code>, 'It has a provisional time, which is not booked.'],
          [<code>booked</code>, 'Both calendars have the event, and you received meeting.scheduled.'],
          [<code>unplaced</code>, 'No time is left. The reason says why, and what would help.'],
          [<code>failed</code>, 'It could not be searched or booked, for example because a person is not connected.'],
          [<code>cancelled</code>, 'You cancelled the batch before it was booked.'],
        ]}
      />
      <p>Every meeting ends in one of the last four states. A meeting without a time has a reason:</p>
      <Table
        head={['Reason', 'Meaning', 'What helps']}
        rows={[
          [
            <code>NO_AVAILABILITY</code>,
            'The two people have no common free time.',
            'One of the relaxations. Each is a change of a rule or of the search, with the number of free times that it would add.',
          ],
          [
            <code>TIMES_TAKEN</code>,
            'They have common free times, but other meetings of the batch need them.',
            'A longer date_range, or a higher priority.',
          ],
          [<code>ROUND_LIMIT</code>, 'One of them has as many meetings as max_per_person allows.', 'A larger limit.'],
          [
            <>
              <code>CALENDAR_NOT_FOUND</code> or <code>TOKEN_EXPIRED</code>
            </>,
            'A person has no connected calendar.',
            'Let the person connect, then send the meeting in a new batch.',
          ],
          [
            <code>GOOGLE_API_ERROR</code>,
            'Google did not answer for this calendar, three times in a row.',
            'A new batch in a few minutes.',
          ],
          [
            <code>USAGE_LIMIT_EXCEEDED</code>,
            'The meetings of your monthly limit are used up.',
            'A larger plan, or the next month.',
          ],
        ]}
      />
      <h2>3. Book it</h2>
      <p>
        Commit the dry run. Tandem checks every time once more before it books it. A meeting whose time was taken in the
        meantime gets another one.
      </p>
      <Call site={site} method="POST" path="/v1/batches/batch_…/commit" />
      <p>
        Without <code>dry_run</code>, the first call places and books the round. In both cases, each meeting is booked
        exactly once, also if Tandem or your server fails in between. Send an <code>Idempotency-Key</code> with the
        first call, so that you can repeat it.
      </p>
      <p>
        To stop, call <code>{'DELETE /v1/batches/{batch_id}'}</code>. Booked meetings stay. What is not booked yet is
        cancelled.
      </p>
      <h2>4. Wait for the end</h2>
      <p>
        Each booked meeting sends <code>meeting.scheduled</code>. When everything has ended, you receive{' '}
        <code>batch.completed</code> with the counts, if you list it in <code>events</code>. The list replaces the
        previous one, so name every type that you want:
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
      <p>With the client, waiting is one call:</p>
      <Block>{`const { batch_id } = await tandem.scheduleBatch({ meetings });
const { counts } = await tandem.waitForBatch(batch_id, {
  onProgress: ({ progress }) => console.log(progress),
});
const results = await tandem.listBatchMeetings(batch_id);`}</Block>
      <h2>From a spreadsheet</h2>
      <p>
        The command line takes a CSV file. It shows the progress and, at the end, a table of the results. With{' '}
        <code>--out</code> it writes all results to a file.
      </p>
      <Block>{`npx tandem batch round.csv --dry-run --from ${date} --to ${end} --out results.csv
npx tandem batch commit batch_…`}</Block>
      <Block>{`reference,requester,attendee,duration_minutes,title,priority,metadata.cohort
ada-bob,ada@example.com,bob@example.com,30,"Mentoring, first talk",5,autumn
ada-carol,ada@example.com,carol@example.com,,,,autumn`}</Block>
      <Table
        head={['Column', 'Content']}
        rows={[
          [
            <code>reference</code>,
            'Required. A name that you choose for the meeting. Each line of the file has another one.',
          ],
          [<code>requester</code>, 'Required. Email address of the first attendee, on whose calendar the event is.'],
          [<code>attendee</code>, 'Required. Email address of the second attendee.'],
          [<code>duration_minutes</code>, 'Length. The option --duration by default, otherwise 30 minutes.'],
          [<code>title</code>, "Title of the event. By default Tandem makes one from the attendees' names."],
          [<code>context</code>, 'Kind of meeting, such as mentoring or interview.'],
          [<code>priority</code>, '0 to 9. Meetings with a higher priority get their times first.'],
          [<code>metadata.&lt;key&gt;</code>, 'Value that is kept with the meeting under this key.'],
        ]}
      />
      <p>
        The file is in UTF-8, with or without a byte order mark. Fields are separated by commas, semicolons or tabs, and
        may be quoted. An error names the line and the column, and then nothing is sent. A column with another name is
        an error too, so that nothing in your file is ignored.
      </p>
      <p>
        Ctrl-C ends the command, and the batch continues. <code>tandem batch show batch_… --wait</code> follows it
        again, and <code>tandem batch cancel batch_…</code> stops it. The command sends the same file only once in 24
        hours, so you can safely run it again. The dashboard shows every batch too.
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
          gives the limit and how much of it is used. A dry run is checked when you commit it.
        </li>
        <li>A meeting that fails does not hold up the others.</li>
        <li>Tandem keeps a batch for 30 days after its end.</li>
      </ul>
    </DocsPage>
  );
}
