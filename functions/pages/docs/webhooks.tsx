import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import document from '../../../schema/openapi.json' with { type: 'json' };
import { Sample } from '../components.tsx';
import { DocsPage, Words } from './frame.tsx';
import { RECEIVERS, VECTOR } from './receivers.ts';

interface Described {
  post: { summary: string; requestBody: { content: { 'application/json': { example: unknown } } } };
}

const EVENTS: Readonly<Record<string, Described>> = document.webhooks;

/** The page about webhooks: how to receive and verify events, and how to get events that a receiver missed. */
export function WebhooksPage() {
  return (
    <DocsPage path="/docs/webhooks">
      <p>
        A webhook is a POST request with which Tandem tells your server what happened, such as a meeting that was
        booked. What happened is called an event, and sending it to your URL is called a delivery. Tandem stores every
        change together with its event, so no event is lost. Tandem makes up to 3 attempts to deliver an event (or as
        many as you set in <code>max_retries</code>): the second one 1 second after the first has failed, and the third
        one 10 seconds after the second has failed. Every delivery stays in a log for 30 days, with all its attempts:{' '}
        <code>GET /v1/platform/webhook/logs</code>. To have failed events sent again, call{' '}
        <code>POST /v1/platform/webhook/replay</code>.
      </p>
      <h2>Choosing the URL and the events</h2>
      <ul>
        <li>
          Set your URL with <code>PUT /v1/platform/webhook</code>. The URL must begin with <code>https://</code> and use
          port 443. Its host must be in public DNS, and all IP addresses of the host must be public. Tandem looks the
          host up at every attempt and does not follow redirects.
        </li>
        <li>
          The response has a secret, with which you verify events. It is shown only this once. If you later set another
          URL, you get a new secret, and the previous one stays valid for 24 hours.
        </li>
        <li>
          With <code>events</code> in the same request, you list the types of events that you want. Without this list
          you receive all types except <code>platform.security_changed</code>. With an empty list you receive none.{' '}
          <code>meeting.rescheduled</code> in the list stands for two types: <code>meeting.updated</code>, and the{' '}
          <code>meeting.scheduled</code> of a meeting that replaces another.
        </li>
      </ul>
      <h2>Receiving</h2>
      <ul>
        <li>
          Respond with a status from 200 to 299 before you process the event. Tandem waits 30 seconds for the response,
          unless you set another <code>timeout_seconds</code>. Any other response counts as a failed attempt.
        </li>
        <li>
          The same event can arrive twice, and events can arrive in another order than they happened. To recognize an
          event that you already have, store its <code>id</code>. To find the order, compare the <code>timestamp</code>{' '}
          of the events.
        </li>
        <li>
          Ignore fields that you do not know, because we may add some. If you receive all types of events, also ignore
          types that you do not know.
        </li>
      </ul>
      <h2>Verifying</h2>
      <p>
        Verify every request, because anybody can send a request to your URL. Tandem's client does it for you, with{' '}
        <code>verifyWebhook</code>. Without the client, compute the HMAC-SHA256 of{' '}
        <code>{'<timestamp>:<raw body>'}</code>, as lowercase hex, and compare it in constant time with the header{' '}
        <code>X-Service-Signature</code>. The key of the HMAC is the whole secret, including <code>whsec_</code>. The
        timestamp is the header <code>X-Service-Timestamp</code>, in seconds since 1970. The raw body is the bytes of
        the body exactly as they arrived. Also reject a request whose timestamp is more than 5 minutes away from now:
        somebody may have recorded it. In Node:
      </p>
      <Sample>{RECEIVERS.node}</Sample>
      <p>In Python:</p>
      <Sample>{RECEIVERS.python}</Sample>
      <p>In Go:</p>
      <Sample>{RECEIVERS.go}</Sample>
      <p>
        Here is one request with its secret, for a test of your own code. <code>signature</code> is the header{' '}
        <code>X-Service-Signature</code>, and <code>standard_signature</code> the header <code>webhook-signature</code>{' '}
        of the next section. In the test, set the clock of your code to <code>timestamp</code>. Your code must then
        accept the request:
      </p>
      <Sample>{JSON.stringify(VECTOR, null, 2)}</Sample>
      <p>
        <code>POST /v1/platform/webhook/rotate-secret</code> gives you a new secret. You can switch your server to it at
        any time in the next 24 hours, because until then Tandem signs every event with the previous secret too. That
        signature is in the header <code>X-Service-Signature-Previous</code>. If you rotated more than once in 24 hours,
        the header has several signatures, separated by commas, newest first, at most 5. For receivers that do not read
        this header there is a second way: if yours responds with 400, 401 or 403, Tandem sends the event again with a
        previous secret's signature in <code>X-Service-Signature</code>.
      </p>
      <h2>Verifying with a library</h2>
      <p>
        Tandem also signs every request in a second way, as the specification <strong>Standard Webhooks</strong>{' '}
        (standardwebhooks.com) describes. There are libraries for it in most languages. Pass the secret to the library
        exactly as it was shown to you:
      </p>
      <Sample>{`import { Webhook } from 'standardwebhooks';

// Throws unless the event is genuine and recent.
const event = new Webhook('whsec_…').verify(rawBody, headers);`}</Sample>
      <p>
        The library reads three headers: <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
        <code>webhook-signature</code>. <code>webhook-id</code> is the <code>id</code> of the event, so it stays the
        same in all attempts. For 24 hours after a rotation, <code>webhook-signature</code> has one signature for each
        secret that is still valid, and the library accepts any of them.
      </p>
      <p>
        Early versions of Tandem made secrets that such libraries cannot read. You have one if there is a <code>-</code>{' '}
        or <code>_</code> somewhere after <code>whsec_</code>. Rotate it. Until you do, replace each <code>-</code> of
        that part with <code>+</code> and each <code>_</code> with <code>/</code> before you pass the secret to the
        library.
      </p>
      <h2>Testing</h2>
      <p>
        <code>POST /v1/platform/webhook/test</code> sends your URL a sample event of the type that you name, and
        responds with what your server answered. You can also receive events on your own machine, which Tandem cannot
        reach. For that, use the command line of Tandem's client. The command below asks Tandem for new events and sends
        each one to a server on your machine. With <code>--secret whsec_…</code> it also signs them. Set the environment
        variables <code>TANDEM_URL</code> and <code>TANDEM_API_KEY</code> first, and run the command in the project in
        which you installed the client:
      </p>
      <Sample>npx tandem webhooks listen --forward-to http://localhost:3000/hooks</Sample>
      <h2>Events</h2>
      <p>
        Below is one example of each type of event. In <a href="/openapi.json">openapi.json</a>, the section{' '}
        <code>webhooks</code> describes every field.
      </p>
      <ul>
        {EVENT_TYPES.map((type) => (
          <li>
            <a href={`#${type}`}>{type}</a>
          </li>
        ))}
      </ul>
      {EVENT_TYPES.map((type) => {
        const { summary, requestBody } = EVENTS[type]?.post ?? {};
        return (
          <>
            <h3 id={type}>
              <code>{type}</code>
            </h3>
            <p>
              <Words>{summary ?? ''}</Words>
            </p>
            <Sample>{JSON.stringify(requestBody?.content['application/json'].example, null, 2)}</Sample>
          </>
        );
      })}
    </DocsPage>
  );
}
