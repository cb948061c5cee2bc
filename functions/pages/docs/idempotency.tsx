import { Table } from '../components.tsx';
import { DocsPage } from './frame.tsx';

/** The page about retrying requests safely with an `Idempotency-Key`. */
export function IdempotencyPage() {
  return (
    <DocsPage path="/docs/idempotency">
      <p>
        A request can take effect although its response is lost on the way. If you then simply sent it again, the
        meeting would be booked twice. Therefore send a header <code>Idempotency-Key</code> with every request that
        books, moves or cancels a meeting. You choose the key: 1 to 255 printable ASCII characters, a different key for
        each new request. (Tandem's client chooses and sends the keys for you.) If you send a request again, send the
        same key. For 24 hours, Tandem recognizes the key and responds as follows:
      </p>
      <Table
        head={['You send the same key with', 'Tandem responds with']}
        rows={[
          [
            'the same body, after the first request has finished',
            <>
              The first response, byte for byte, with the header <code>Idempotent-Replayed: true</code>. Nothing is done
              again.
            </>,
          ],
          [
            'the same body, while the first request is in progress',
            <>
              The first response, if it is ready within 3 seconds. Otherwise 409 <code>idempotency_in_progress</code>,
              with the seconds to wait in the header <code>Retry-After</code>.
            </>,
          ],
          [
            'a different body',
            <>
              422 <code>idempotency_key_reused</code>. Nothing is done.
            </>,
          ],
        ]}
      />
      <p>
        The table is about responses that Tandem stores under the key. These are the successful ones and two errors, 409{' '}
        <code>no_availability</code> and <code>slot_unavailable</code>. Tandem stores no other error, because you can
        correct the request (400, 401, 403, 404, 409 <code>unknown_time_zone</code>), wait (429 and the other 409
        errors) or repeat it after a failure on our side (500). After an error that is not stored, send the request
        again with the same key, corrected if need be. After a 500 whose message says that Tandem finishes or undoes the
        request, send the same body: Tandem then carries on with the first request.
      </p>
      <h2>If something fails</h2>
      <p>
        Before Tandem creates the calendar event, it stores the booking in its own database. From then on, the time of
        both people is reserved, and the meeting counts toward your monthly limit. The ID of the calendar event is
        derived from the meeting ID. This has three effects:
      </p>
      <ul>
        <li>If a response was lost, a retry finds the event that exists and creates no second one.</li>
        <li>If our server crashes during a booking, Tandem finishes or undoes the booking within 2 minutes.</li>
        <li>While a booking is in progress, Tandem offers its time to nobody else.</li>
      </ul>
      <p>
        The error 500 <code>calendar_unavailable</code> means that Google did not respond. If the message says that
        Tandem will finish or undo the booking, it may still succeed: send the same request again with the same key.
      </p>
      <p>
        Tandem cannot prevent one case: somebody enters an event in Google Calendar in the moment between Tandem's last
        look at the calendar and the booking. Then both are in the calendar.
      </p>
      <h2>Without a key</h2>
      <p>
        If you send the same booking twice without a key, Tandem books two meetings. With <code>require_free</code>,
        Tandem refuses the second request, because the first has taken the time.
      </p>
    </DocsPage>
  );
}
