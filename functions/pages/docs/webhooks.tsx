import { BY_NAME, DEFAULT_EVENTS } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import type { OpenapiDocument } from '../../openapi-document.ts';
import { Table } from '../components.tsx';
import { Block, Tabs } from './call.tsx';
import { describedEvent } from './described.ts';
import { DocsPage } from './frame.tsx';
import { RECEIVERS, RECEIVING_SERVER, VECTOR } from './receivers.ts';
import { Words } from './words.tsx';

/** The page about webhooks: how to receive and verify events, and how to get events that a receiver missed. */
export function WebhooksPage({ document }: { document: OpenapiDocument }) {
  return (
    <DocsPage path="/docs/webhooks">
      <p>
        A webhook is a POST request with which Tandem tells your server what happened, such as a meeting that was
        booked. What happened is called an event, and sending an event to your URL is called a delivery. Tandem stores
        every change together with its event, so no event is lost. Tandem makes up to 3 attempts to deliver an event, or
        as many as you set in <code>max_retries</code>. The second attempt follows 1 second after the first attempt has
        failed, and the third attempt 10 seconds after the second has failed. One attempt can be several requests: if
        your server responds with 400, 401 or 403 while <a href="#verifying">previous secrets</a> are still valid,
        Tandem sends one more request for each of these secrets. Every delivery stays in the delivery log for 30 days,
        with all its attempts: <code>GET /v1/platform/webhook/logs</code>. In the delivery log, the field{' '}
        <code>event</code> has the type of the event, which the event itself has in <code>event_type</code>. To make
        Tandem send failed events again, call <code>POST /v1/platform/webhook/replay</code>. To make Tandem send one
        event again, call <code>{'POST /v1/platform/webhook/logs/{delivery_id}/replay'}</code> with the ID of its
        delivery, which is in the delivery log and in the header <code>X-Service-Delivery</code>.
      </p>
      <h2>Choosing the URL and the events</h2>
      <ul>
        <li>
          Set your URL with <code>PUT /v1/platform/webhook</code>. The URL must begin with <code>https://</code> and use
          port 443. The host of the URL must be in public DNS, and all IP addresses of the host must be public. Tandem
          resolves the host name again for every attempt, and does not follow redirects. Only a Tandem that runs on your
          own machine also accepts <code>{'http://localhost:<port>/…'}</code> and{' '}
          <code>{'http://127.0.0.1:<port>/…'}</code>.
        </li>
        <li>
          The response to <code>PUT /v1/platform/webhook</code> has a webhook secret, with which you verify events.
          Tandem shows a webhook secret only once. If you later set another webhook URL, you get a new webhook secret,
          and the previous secret stays valid for 24 hours.
        </li>
        <li>
          In the field <code>events</code> of <code>PUT /v1/platform/webhook</code>, you list the types of events that
          you want to receive. Without the field <code>events</code>, you receive the {DEFAULT_EVENTS.length} default
          types. You receive each of the other types only if your list names it:{' '}
          {BY_NAME.map((type, i) => (
            <>
              {i === 0 ? '' : i === BY_NAME.length - 1 ? ' and ' : ', '}
              <code>{type}</code>
            </>
          ))}
          . Your own list in <code>events</code> replaces the default list. If your list names a type that is not sent
          by default, it must also name every default type that you still want. With an empty list in{' '}
          <code>events</code>, you receive no events. In the field <code>events</code>, the name{' '}
          <code>meeting.rescheduled</code> stands for two types: <code>meeting.updated</code>, and the{' '}
          <code>meeting.scheduled</code> of a meeting that replaces another.
        </li>
      </ul>
      <h2>Receiving</h2>
      <ul>
        <li>
          When your server receives an event, respond with a status from 200 to 299 before you process the event. Tandem
          waits 30 seconds for the response to an event, unless you set another <code>timeout_seconds</code>. A response
          with any other status counts as a failed attempt. Respond with 401 to a request that you cannot verify, and
          with a status from 200 to 299 to an event that you already have.
        </li>
        <li>
          The same event can arrive twice, and events can arrive in another order than they happened. To recognize an
          event that you already have, store the <code>id</code> of each event. To find the order in which events
          happened, compare the <code>timestamp</code> of the events.
        </li>
        <li>
          Ignore fields of an event that you do not know, because we may add fields. If you receive all types of events,
          also ignore types that you do not know, because we may add types.
        </li>
      </ul>
      <h2>A receiver in Node</h2>
      <p>
        This server uses Tandem's <a href="/docs">client</a>. It verifies each webhook request, responds, and then works
        on each event once. <code>verifyWebhook</code> takes the headers as Node or Express provides them, or as the
        headers of a Fetch <code>Request</code>. Write the webhook secret into the environment variable{' '}
        <code>TANDEM_WEBHOOK_SECRET</code>:
      </p>
      <Block>{RECEIVING_SERVER}</Block>
      <h2>Verifying</h2>
      <p>
        Verify every webhook request, because anybody can send a request to your URL. The server above does so with{' '}
        <code>verifyWebhook</code> of Tandem's client. Without the client, compute the HMAC-SHA256 of{' '}
        <code>{'<timestamp>:<raw body>'}</code>, as lowercase hex, and compare the result in constant time with the
        header <code>X-Service-Signature</code>. The key of the HMAC is the whole webhook secret, including{' '}
        <code>whsec_</code>. The timestamp in the HMAC is the value of the header <code>X-Service-Timestamp</code>, in
        seconds since 1970. The raw body in the HMAC is the bytes of the request's body exactly as they arrived. Also
        reject a webhook request whose timestamp is more than 5 minutes away from now, because somebody may have
        recorded the request and sent it again.
      </p>
      <Tabs code={RECEIVERS} />
      <p>
        To test your own verification code, use the sample webhook request below with the secret in it. In the sample,{' '}
        <code>signature</code> is the header <code>X-Service-Signature</code>, and <code>standard_signature</code> is
        the header <code>webhook-signature</code> of the next section. In your test, set the clock of your verification
        code to the <code>timestamp</code> of the sample. Your verification code must accept the sample request:
      </p>
      <Block>{JSON.stringify(VECTOR, null, 2)}</Block>
      <p>
        <code>POST /v1/platform/webhook/rotate-secret</code> gives you a new webhook secret. You can switch your server
        to the new secret at any time in the next 24 hours, because until then Tandem signs every event with the
        previous secret too. The signature made with the previous secret is in the header{' '}
        <code>X-Service-Signature-Previous</code>. If you rotated the secret more than once in 24 hours, the header{' '}
        <code>X-Service-Signature-Previous</code> has several signatures, separated by commas, newest first, at most 5.
        Your server does not have to read <code>X-Service-Signature-Previous</code>: if your server responds with 400,
        401 or 403, Tandem sends the event again with a previous secret's signature in <code>X-Service-Signature</code>.
      </p>
      <h2>Verifying with a library</h2>
      <p>
        Tandem also signs every request in a second way, as the specification <strong>Standard Webhooks</strong>{' '}
        (standardwebhooks.com) describes. Most languages have a library that verifies Standard Webhooks. Pass your
        webhook secret to the library exactly as Tandem showed it to you:
      </p>
      <Block>{`import { Webhook } from 'standardwebhooks';

// Throws unless the event is genuine and recent.
const event = new Webhook('whsec_…').verify(rawBody, headers);`}</Block>
      <p>
        A Standard Webhooks library reads three headers: <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
        <code>webhook-signature</code>. The header <code>webhook-id</code> has the <code>id</code> of the event, so it
        stays the same in all attempts. For 24 hours after you rotate the secret, the header{' '}
        <code>webhook-signature</code> has one signature for each secret that is still valid, and the library accepts
        any of these signatures.
      </p>
      <p>
        Early versions of Tandem made webhook secrets that Standard Webhooks libraries cannot read. Your webhook secret
        comes from an early version if it has a <code>-</code> or <code>_</code> somewhere after <code>whsec_</code>.
        Rotate a webhook secret that comes from an early version. Until you have rotated a secret from an early version,
        replace each <code>-</code> after <code>whsec_</code> with <code>+</code> and each <code>_</code> with{' '}
        <code>/</code> before you pass the secret to the library.
      </p>
      <h2>Testing</h2>
      <p>
        <code>POST /v1/platform/webhook/test</code> sends your URL a sample event of the type that you name, and
        responds with what your server answered. A Tandem on the internet cannot reach your own machine. To receive its
        events there, use the command line of Tandem's client. The command <code>tandem webhooks listen</code> asks
        Tandem for new events and sends each event to a server on your machine. With the option{' '}
        <code>--secret whsec_…</code>, the command also signs the events. Before you run the command, set the
        environment variables <code>TANDEM_URL</code> and <code>TANDEM_API_KEY</code>. Run the command in the project in
        which you installed the client:
      </p>
      <Block>npx @tandem-api/client webhooks listen --forward-to http://localhost:3000/hooks</Block>
      <h2>Events</h2>
      <p>
        Tandem sends these types of events. <a href="/docs/events">Events</a> has every field of each, with an example.
      </p>
      <Table
        head={['Type', { name: 'When', short: '' }]}
        ids={EVENT_TYPES}
        rows={EVENT_TYPES.map((type) => [
          <a href={`/docs/events#${type}`}>{type}</a>,
          <Words>{describedEvent(document, type).summary}</Words>,
        ])}
      />
    </DocsPage>
  );
}
