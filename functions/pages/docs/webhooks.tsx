import { EVENT_TYPES } from '../../../schema/api/webhook-events.ts';
import { describeWebhooks } from '../../openapi/webhooks.ts';
import { Sample } from '../components.tsx';
import { DocsPage, Words } from './frame.tsx';
import { RECEIVERS, VECTOR } from './receivers.ts';

/** What is sent, how to verify it, and what happens when a receiver is down. */
export function WebhooksPage() {
  const events = describeWebhooks();
  return (
    <DocsPage path="/docs/webhooks">
      <p>
        Every change is written together with its event, so none is lost; each event is POSTed to your endpoint up to
        three times: at once, a second later, ten seconds after that. What your endpoint missed all the same is in the
        log for 30 days, attempt by attempt, and <code>POST /v1/platform/webhook/replay</code> sends it again.
      </p>
      <h2>Receiving</h2>
      <ul>
        <li>Answer 2xx within your timeout (30 seconds unless you set another), before you do the work.</li>
        <li>
          The same event can arrive twice, and two events in another order than they happened: remember the event's{' '}
          <code>id</code>, and go by its <code>timestamp</code>.
        </li>
        <li>Expect new fields, and new types if you subscribe to all.</li>
        <li>
          The URL is <code>https://</code> on port 443 and names a host in public DNS, all of whose addresses are
          public. DNS is asked at every attempt, and redirects are not followed.
        </li>
        <li>
          <code>events</code> chooses among the types: all ten go until you send a list, and an empty one means none;{' '}
          <code>meeting.rescheduled</code> stands for updates and for new meetings that replace others.
        </li>
        <li>
          A new <code>url</code> gets a new secret, in that answer alone; the former stays valid for 24 hours.
        </li>
      </ul>
      <h2>Verifying</h2>
      <p>
        <code>X-Service-Signature</code> is the lowercase hex HMAC-SHA256 of <code>{'<timestamp>:<raw body>'}</code>,
        keyed by the whole secret with its <code>whsec_</code>; the timestamp is <code>X-Service-Timestamp</code>, in
        seconds. Take the bytes as they arrived, compare in constant time, and refuse what is more than five minutes
        old. <code>verifyWebhook</code> of the client does it with Web Crypto alone; without the client, in Node:
      </p>
      <Sample>{RECEIVERS.node}</Sample>
      <p>In Python:</p>
      <Sample>{RECEIVERS.python}</Sample>
      <p>In Go:</p>
      <Sample>{RECEIVERS.go}</Sample>
      <p>To try a receiver of your own, with its clock at the timestamp:</p>
      <Sample>{JSON.stringify(VECTOR, null, 2)}</Sample>
      <p>
        For 24 hours after a rotation <code>X-Service-Signature-Previous</code> carries the signatures under the former
        secrets (comma-separated, newest first, at most five), and a receiver that answers 400, 401 or 403 is sent the
        event again under each, so it may switch to the new secret at any time in those hours.
      </p>
      <h2>Verifying with a library</h2>
      <p>
        Every delivery is also signed as <strong>Standard Webhooks</strong> specifies, for which there are libraries in
        most languages. They take the secret as it was shown:
      </p>
      <Sample>{`import { Webhook } from 'standardwebhooks';

// throws unless genuine and recent
const event = new Webhook('whsec_…').verify(rawBody, headers);`}</Sample>
      <p>
        <code>webhook-id</code> is the event's <code>id</code>, the same over attempts and replays;{' '}
        <code>webhook-signature</code> carries one signature for each secret that is still valid after a rotation. A
        secret with <code>-</code> or <code>_</code> in it was made before these headers existed: give a library{' '}
        <code>+</code> for each <code>-</code> and <code>/</code> for each <code>_</code>, or rotate it.
      </p>
      <h2>Trying</h2>
      <p>
        <code>POST /v1/platform/webhook/test</code> sends one sample of any type and answers how it went. A server on
        your own machine gets every event without a tunnel, forwarded from the log by the command of Tandem's client,
        run in the project that has it installed, with <code>TANDEM_URL</code> and <code>TANDEM_API_KEY</code> set:
      </p>
      <Sample>npx tandem webhooks listen --forward-to http://localhost:3000/hooks</Sample>
      <h2>Events</h2>
      <p>
        One example of each; every field is in <a href="/openapi.json">openapi.json</a>, under <code>webhooks</code>.
      </p>
      <ul>
        {EVENT_TYPES.map((type) => (
          <li>
            <a href={`#${type}`}>{type}</a>
          </li>
        ))}
      </ul>
      {EVENT_TYPES.map((type) => {
        const { summary, requestBody } = events[type]?.post ?? {};
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
