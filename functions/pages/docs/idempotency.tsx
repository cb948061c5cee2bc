import { Table } from '../components.tsx';
import { DocsPage } from './frame.tsx';

/** The page about retrying requests safely with an `Idempotency-Key`. */
export function IdempotencyPage() {
  return (
    <DocsPage path="/docs/idempotency">
      <p>
        A request can take effect although its response is lost on the way. If you simply sent a booking request again,
        the meeting would be booked twice. To prevent double bookings, send a header <code>Idempotency-Key</code> with
        every request that books, moves or cancels a meeting. You choose the <code>Idempotency-Key</code>: 1 to 255
        printable ASCII characters, a different key for each new request. (Tandem's client chooses and sends the keys
        for you.) If you send a request again, send the same key. For 24 hours, Tandem recognizes an{' '}
        <code>Idempotency-Key</code> and responds as follows:
      </p>
      <Table
        head={['You send', { name: 'What Tandem does', short: '' }]}
        rows={[
          [
            'the same key and the same body, after the first request has finished',
            <>
              Tandem sends the first response again, byte for byte, with the header{' '}
              <code>Idempotent-Replayed: true</code>. Tandem does nothing a second time.
            </>,
          ],
          [
            'the same key and the same body, while the first request is in progress',
            <>
              Tandem sends the first response if it is ready within 3 seconds. If the first response is not ready by
              then, Tandem responds with the error 409 <code>idempotency_in_progress</code>, with the seconds to wait in
              the header <code>Retry-After</code>.
            </>,
          ],
          [
            'the same key and a different body',
            <>
              Tandem refuses the request with the error 422 <code>idempotency_key_reused</code>.
            </>,
          ],
        ]}
      />
      <p>
        The table is about responses that Tandem stores under an <code>Idempotency-Key</code>. Tandem stores successful
        responses and two errors, 409 <code>no_availability</code> and <code>slot_unavailable</code>. Tandem stores no
        other error, because after another error you can correct the request (400, 401, 403, 404, 409{' '}
        <code>unknown_time_zone</code>), wait (429 and the other 409 errors) or repeat it after a failure on our side
        (500). After an error that Tandem does not store, correct the request if need be, and send it again with the
        same key. After a 500 whose message says that Tandem finishes or undoes the request, send the same request
        again: Tandem then carries on with the first request.
      </p>
      <h2>If something fails</h2>
      <p>
        Before Tandem creates the calendar event, it stores the booking in its own database. Once the booking is stored,
        the time is reserved for both people, and the meeting counts toward your monthly limit. The ID of the calendar
        event is derived from the meeting ID. Because the booking is stored first, these three things are true:
      </p>
      <ul>
        <li>
          If the response to a booking was lost, a retry finds the calendar event that exists and creates no second
          event.
        </li>
        <li>If our server crashes during a booking, Tandem finishes or undoes the booking within 2 minutes.</li>
        <li>While a booking is in progress, Tandem offers the booked time to nobody else.</li>
      </ul>
      <p>
        The error 500 <code>calendar_unavailable</code> means that Google did not respond. If the message of an error
        says that Tandem will finish or undo the booking, the booking may still succeed: send the same request again
        with the same key.
      </p>
      <p>
        Tandem cannot prevent one case: somebody enters an event in Google Calendar in the moment between Tandem's last
        look at the calendar and the booking. After such a collision, both the new event and Tandem's meeting are in the
        calendar.
      </p>
      <h2>Without a key</h2>
      <p>
        If you send the same booking twice without an <code>Idempotency-Key</code>, Tandem books two meetings. With{' '}
        <code>require_free</code>, Tandem refuses the second of two equal bookings, because the first booking has taken
        the time.
      </p>
    </DocsPage>
  );
}
