import { Sample } from '../components.tsx';
import { DOCS, DocsPage } from './frame.tsx';

/** The front page: the main job in four calls. */
export function StartPage({ baseUrl }: { baseUrl: string }) {
  return (
    <DocsPage path="/docs" title="Tandem for developers">
      <p>
        Tandem finds the best times for two people, books one on both calendars, moves and cancels it, and tells your
        platform about everything by signed webhooks. Every call is JSON over HTTPS with your platform's secret key,
        which it was given when it was made; below it is in <code>TANDEM_API_KEY</code>.
      </p>
      <h2>1. Connect two people</h2>
      <p>
        Ask for a person's link and send them there. They consent on Google's page;{' '}
        <code>{'GET /v1/users/{email}/status'}</code> tells you when they are done, and once your endpoint is set (step
        4) the event <code>user.calendar.connected</code>.
      </p>
      <Sample>{`curl -s '${baseUrl}/v1/platform/oauth-url?user_email=ada@acme.com' \\
  -H "Authorization: Bearer $TANDEM_API_KEY"`}</Sample>
      <h2>2. Find the best times</h2>
      <p>
        The first address is the requester: dates and slots are in their zone. Up to five times come back, best first,
        each with its reason.
      </p>
      <Sample>{`curl -s ${baseUrl}/v1/availability \\
  -H "Authorization: Bearer $TANDEM_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"attendees":["ada@acme.com","ben@acme.com"],"duration_minutes":30}'`}</Sample>
      <h2>3. Book one</h2>
      <p>
        With <code>require_free</code> both calendars are read again just before, and a time that has gone is refused
        with alternatives. With an <code>Idempotency-Key</code> a retry never books twice.
      </p>
      <Sample>{`curl -s ${baseUrl}/v1/schedule \\
  -H "Authorization: Bearer $TANDEM_API_KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-4711' \\
  -d '{"attendees":["ada@acme.com","ben@acme.com"],"start_time":"2026-12-01T14:00:00Z",
       "duration_minutes":30,"title":"Intro","require_free":true}'`}</Sample>
      <p>
        Or let Tandem choose: <code>POST /v1/schedule/auto</code> answers at once with a job, picks and books in the
        background, and says why it chose what it chose.
      </p>
      <h2>4. Hear about it</h2>
      <p>
        Set your endpoint once; the answer holds the secret to <a href="/docs/webhooks">verify</a> with.
      </p>
      <Sample>{`curl -s -X PUT ${baseUrl}/v1/platform/webhook \\
  -H "Authorization: Bearer $TANDEM_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"url":"https://acme.com/hooks/tandem"}'`}</Sample>
      <p>
        All four are methods of the typed client too, the package <code>tandem</code> in Tandem's repository: it retries
        what is safe, sends the <code>Idempotency-Key</code> and verifies webhooks.
      </p>
      <h2>Read on</h2>
      <ul>
        {DOCS.slice(1).map(({ path, title, about }) => (
          <li>
            <a href={path}>{title}</a>: {about}
          </li>
        ))}
        <li>
          <a href="/openapi.json">openapi.json</a>: all of it in OpenAPI 3.1, for tools
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a>: these pages, for models
        </li>
      </ul>
    </DocsPage>
  );
}
