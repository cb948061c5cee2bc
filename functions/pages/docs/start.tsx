import { Sample } from '../components.tsx';
import { DOCS, DocsPage } from './frame.tsx';

/** The first page of the documentation: a booked meeting in four calls. The example books a time on `date`. */
export function StartPage({ baseUrl, date }: { baseUrl: string; date: string }) {
  return (
    <DocsPage path="/docs" title="Tandem for developers">
      <p>
        Tandem finds the times that suit two people best, and books one of them on both calendars. Tandem also moves and
        cancels meetings. It reports every change to your server by webhook, a signed POST request to a URL of yours.
        You call Tandem over HTTPS with JSON and your platform's secret key, which you received when your platform was
        created. The examples below read the key from the environment variable <code>TANDEM_API_KEY</code>.
      </p>
      <h2>1. Connect two people</h2>
      <p>
        Get a link for each person and send it to them. The person opens the link and allows Tandem on Google's page to
        use their calendar. From then on they are connected, and <code>{'GET /v1/users/{email}/status'}</code> says so.
        Once you have set a webhook URL (step 4), Tandem also sends you the event <code>user.calendar.connected</code>.
      </p>
      <Sample>{`curl -s '${baseUrl}/v1/platform/oauth-url?user_email=ada@acme.com' \\
  -H "Authorization: Bearer $TANDEM_API_KEY"`}</Sample>
      <h2>2. Find the best times</h2>
      <p>
        The person whose email address comes first is called the requester. The times in the response are in the
        requester's time zone. There are up to 5 of them, best first, each with the reason for its rank.
      </p>
      <Sample>{`curl -s ${baseUrl}/v1/availability \\
  -H "Authorization: Bearer $TANDEM_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"attendees":["ada@acme.com","ben@acme.com"],"duration_minutes":30}'`}</Sample>
      <h2>3. Book one</h2>
      <p>
        Send the <code>start_time</code> of one of the times that the search returned. With <code>require_free</code>,
        Tandem reads both calendars again just before it books. If the time is no longer free, Tandem books nothing and
        responds with an error that lists other times. An <code>Idempotency-Key</code> is a text of your choice that
        names this booking: if you have to send the request again, send the same key, and Tandem books only once.
      </p>
      <Sample>{`curl -s ${baseUrl}/v1/schedule \\
  -H "Authorization: Bearer $TANDEM_API_KEY" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-4711' \\
  -d '{"attendees":["ada@acme.com","ben@acme.com"],"start_time":"${date}T14:00:00Z",
       "duration_minutes":30,"title":"Intro","require_free":true}'`}</Sample>
      <p>
        You can also let Tandem choose the time, with <code>POST /v1/schedule/auto</code>. The response comes at once
        and has the ID of a job. Tandem then chooses and books a time in the background.{' '}
        <code>{'GET /v1/jobs/{job_id}'}</code> shows the booked time and the reason for the choice.
      </p>
      <h2>4. Receive events</h2>
      <p>
        Set the URL to which Tandem sends events. The response has a secret, which is shown only this once. With the
        secret, your server <a href="/docs/webhooks">verifies</a> that an event comes from Tandem.
      </p>
      <Sample>{`curl -s -X PUT ${baseUrl}/v1/platform/webhook \\
  -H "Authorization: Bearer $TANDEM_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"url":"https://acme.com/hooks/tandem"}'`}</Sample>
      <p>
        For TypeScript and JavaScript there is a client, the package <code>tandem</code> in Tandem's repository. It has
        a method for each of these calls, repeats a request that failed where that is safe, sends an{' '}
        <code>Idempotency-Key</code> with every booking, and verifies webhooks.
      </p>
      <h2>Read on</h2>
      <ul>
        {DOCS.slice(1).map(({ path, title, about }) => (
          <li>
            <a href={path}>{title}</a>: {about}
          </li>
        ))}
        <li>
          <a href="/openapi.json">openapi.json</a>: the whole API as an OpenAPI 3.1 document
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a>: links to these pages, for language models
        </li>
      </ul>
    </DocsPage>
  );
}
