import { Table } from '../components.tsx';
import { DocsPage } from './frame.tsx';

/** What makes a retry safe. */
export function IdempotencyPage() {
  return (
    <DocsPage path="/docs/idempotency">
      <p>
        Send an <code>Idempotency-Key</code> (1 to 255 printable characters, yours to choose) with every request that
        books, moves or cancels. The client of this API does it by itself. For 24 hours the same key stands for the same
        request:
      </p>
      <Table
        head={['The same key, and', 'Answer']}
        rows={[
          [
            'the same body, once the first has ended',
            <>
              the first answer, byte for byte, with <code>Idempotent-Replayed: true</code>; nothing is done again
            </>,
          ],
          [
            'the same body, while the first is under way',
            <>
              waits up to 3 seconds, then 409 <code>idempotency_in_progress</code> with <code>Retry-After</code>
            </>,
          ],
          [
            'another body',
            <>
              422 <code>idempotency_key_reused</code>
            </>,
          ],
        ]}
      />
      <p>
        Successes, and 409s that the operation itself decided, such as <code>slot_unavailable</code>, are kept. What you
        can correct and send again (400, 401, 403, 404, 429) is not, nor is what failed on our side: the same key then
        carries on where the first request stopped.
      </p>
      <h2>When something fails in between</h2>
      <p>
        A meeting is reserved with its quota and both people's time before the calendar is asked, and the calendar's
        event has an id made from the meeting's. So a retry after a lost answer finds the event instead of making a
        second, a booking cut short by a crash is finished or undone within two minutes, and time that is reserved is
        offered to nobody else. A 500 <code>calendar_unavailable</code> says that this is under way: send the same
        request with the same key. The one thing Tandem cannot see is somebody who books in Google itself in the very
        second between check and booking.
      </p>
      <h2>Without a key</h2>
      <p>
        Two requests without a key are two meetings. With <code>require_free</code> the second is refused, as the first
        has taken the time.
      </p>
    </DocsPage>
  );
}
