import { CLIENT_PATH } from '../../files.ts';
import { Block, Call, type Site } from './call.tsx';
import { DOCS, DocsPage } from './frame.tsx';

/** Code that finds the best time with the client and books it, or prints the reason if there is none. */
const clientCode = ({ baseUrl }: Site) => `import { createTandem } from '@tandem-api/client';

const tandem = createTandem({ apiKey: process.env.TANDEM_API_KEY, baseUrl: '${baseUrl}' });
const attendees = ['ada@example.com', 'bob@example.com'];
const { slots, message } = await tandem.findAvailability({ attendees, duration_minutes: 30 });
const [best] = slots;
if (best === undefined) {
  console.log(message); // The sentence says why the two people have no time.
} else {
  const { meeting_id } = await tandem.scheduleMeeting({
    attendees,
    start_time: best.start_time,
    duration_minutes: 30,
    title: 'Intro',
    require_free: true,
  });
  console.log(meeting_id);
}`;

/** The first page of the documentation: a booked meeting in four calls. The example books a time on `date`. */
export function StartPage(site: Site) {
  const { date } = site;
  return (
    <DocsPage path="/docs" title="Tandem for developers">
      <p>
        Tandem finds the times that suit two people best, and books one of them on both calendars. Tandem also moves and
        cancels meetings. Tandem reports every change to your server by webhook, a signed POST request to a URL of
        yours. You call Tandem over HTTPS with JSON and your platform's secret key, which you received when your
        platform was created. The examples below read the key from the environment variable <code>TANDEM_API_KEY</code>.
      </p>
      <p>
        If Tandem runs on your own machine, <code>npm start</code> has printed a secret key and the addresses of people
        who are already connected, such as <code>ana.silva@demo.test</code> and <code>ben.carter@demo.test</code>. Put
        the addresses of these people in the place of <code>ada@example.com</code> and <code>bob@example.com</code>,
        because a local Tandem knows only people of <code>demo.test</code>. <a href="/docs/testing">Testing</a> lists
        people for each case.
      </p>
      <p>
        For Node, install Tandem's client, the package <code>tandem</code>. The client has a method for each API call,
        which the tab Node of each example shows. It repeats a failed request where that is safe, sends an{' '}
        <code>Idempotency-Key</code> with every booking, and verifies webhooks. In a project that has a{' '}
        <code>package.json</code>, you need only the last of these commands, and <code>"type": "module"</code> in the{' '}
        <code>package.json</code>:
      </p>
      <Block>{`npm init -y
npm pkg set type=module
npm install ${site.baseUrl}${CLIENT_PATH}`}</Block>
      <h2>1. Connect two people</h2>
      <p>
        Get a link for each person with <code>GET /v1/platform/oauth-url</code>, and send the link to the person. The
        person opens the link and allows Tandem on Google's page to use their calendar. Once the person has allowed it,
        the person is connected, and <code>{'GET /v1/users/{email}/status'}</code> shows that. Once you have set a
        webhook URL (step 4), Tandem also sends you the event <code>user.calendar.connected</code>.
      </p>
      <Call site={site} path="/v1/platform/oauth-url?user_email=ada@example.com" />
      <h2>2. Find the best times</h2>
      <p>
        A search takes the email addresses of two people. The person whose email address comes first is called the
        requester. The times in the response of a search are in the requester's time zone. A search returns up to 5
        times, best first, each with the reason for its rank.
      </p>
      <Call
        site={site}
        path="/v1/availability"
        body={{ attendees: ['ada@example.com', 'bob@example.com'], duration_minutes: 30 }}
      />
      <h2>3. Book a time</h2>
      <p>
        To book a meeting, send the <code>start_time</code> of one of the times that the search returned. If you set{' '}
        <code>require_free</code>, Tandem reads both calendars again just before it books. If the time is no longer
        free, Tandem books nothing and responds with an error that lists other times. An <code>Idempotency-Key</code> is
        a text of your choice that names one booking: if you have to send the request again, send the same key, and
        Tandem books only once.
      </p>
      <Call
        site={site}
        path="/v1/schedule"
        idempotencyKey="order-4711"
        body={{
          attendees: ['ada@example.com', 'bob@example.com'],
          start_time: `${date}T14:00:00Z`,
          duration_minutes: 30,
          title: 'Intro',
          require_free: true,
        }}
      />
      <p>
        You can also let Tandem choose the time, with <code>POST /v1/schedule/auto</code>.{' '}
        <code>POST /v1/schedule/auto</code> returns at once with the ID of a job: Tandem chooses and books a time in the
        background. <code>{'GET /v1/jobs/{job_id}'}</code> shows the booked time and the reason for the choice.
      </p>
      <p>
        If only one of the two people has connected a calendar, <a href="/docs/proposals">offer times</a> to the other
        person, who chooses one of the offered times on a page.
      </p>
      <h2>4. Receive events</h2>
      <p>
        Set the URL to which Tandem sends events, such as a booked meeting. The response of{' '}
        <code>PUT /v1/platform/webhook</code> has a webhook secret, which Tandem shows only once. With the webhook
        secret, your server <a href="/docs/webhooks">verifies</a> that an event comes from Tandem.
      </p>
      <Call site={site} method="PUT" path="/v1/platform/webhook" body={{ url: 'https://acme.com/hooks/tandem' }} />
      <h2>All steps in one program</h2>
      <p>
        This program for Node finds the best time for two connected people and books it. If the two people have no time
        in common, the program prints the reason:
      </p>
      <Block>{clientCode(site)}</Block>
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
          {/* The part that depends on the address reaches from item to item, because Markdown keeps only text in items. */}
          {'{{#SUPPORT_EMAIL}}'}
        </li>
        <li>
          <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>: where to ask us
          {'{{/SUPPORT_EMAIL}}'}
        </li>
      </ul>
    </DocsPage>
  );
}
