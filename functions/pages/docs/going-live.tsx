import { Table } from '../components.tsx';
import { Block, Call, type Site } from './call.tsx';
import { DocsPage } from './frame.tsx';
import { contactUs, Prose } from './words.tsx';

const LOCAL = { baseUrl: 'http://127.0.0.1:8788' };

/** The page about trying things out: the local world with its people, events and clock, and tests in production. */
export const TestingPage = (site: Site) => (
  <DocsPage path="/docs/testing">
    <Prose>{`
      You can run the whole of Tandem on your machine, without an account anywhere. In Tandem's repository, run:
    `}</Prose>
    <Block>npm install && npm start</Block>
    <Prose>{`
      \`npm start\` prints the address of the API, a secret key and a webhook secret. In the line that begins with \`world\`, it
      prints the address of a control server. With the control server you change people's calendars, move the clock and
      make services fail. The examples below use \`${LOCAL.baseUrl}\` for the control server. If \`npm start\` printed another port,
      use the other port.
    `}</Prose>
    <h2>People for each case</h2>
    <Prose>{`
      \`npm start\` creates people whose calendars do something on purpose. To see what your product does in such a case,
      name one of these people as an attendee beside \`ana.silva@demo.test\`.
    `}</Prose>
    <Table
      head={['Address', { name: "The person's calendar", short: '' }]}
      rows={Object.entries(TEST_PEOPLE).map(([email, what]) => [<code>{email}</code>, what])}
    />
    <h2>Connect somebody at once</h2>
    <Prose>{`
      The control server connects any address of \`demo.test\` without a browser, and returns the API key of the person:
    `}</Prose>
    <Call site={LOCAL} path="/connect" body={{ email: 'you@demo.test' }} keyIn={null} />
    <h2>Make an event happen</h2>
    <Prose>{`
      Name an [event](/docs/events), and the control server makes the event happen: people connect, and a meeting is booked,
      moved or cancelled. Tandem then sends the signed event to your webhook URL. The webhook URL of a local Tandem may be
      \`http://localhost:<port>/…\` or \`http://127.0.0.1:<port>/…\`.
    `}</Prose>
    <Call site={LOCAL} path="/trigger" body={{ event: 'meeting.scheduled' }} />
    <Prose>{`
      A Tandem on your machine sends no events to the internet, so it sends none to a webhook URL elsewhere. The inbox of the
      control server keeps the events instead:
    `}</Prose>
    <Call site={LOCAL} path="/inbox" keyIn={null} />
    <h2>Move the clock</h2>
    <Prose>{`
      To see a proposal expire or a month end, move the clock of the local Tandem forward. Everything that is due by the new
      time then happens. This call moves the clock forward by an hour:
    `}</Prose>
    <Call site={LOCAL} path="/clock" body={{ advance_seconds: 3_600 }} keyIn={null} />
    <Prose>{`
      You cannot set the clock back. Once you have moved the clock, webhooks carry the moved clock's time, so a receiver that compares it with
      the clock of your machine rejects them as too far away. Give your receiver's check the time that \`GET /clock\` returns, or start a
      new world with \`npm start -- --fresh\`.
    `}</Prose>
    <h2>Test in production</h2>
    <Prose>{`
      \`POST /v1/platform/webhook/test\` sends a sample event to your webhook URL, and returns the status with which your
      server responded. For your staging environment, use the secret key of a second platform, so that your tests do not
      count toward the monthly limit of your production platform.
    `}</Prose>
    <Call site={site} path="/v1/platform/webhook/test" body={{ event_type: 'meeting.scheduled' }} />
  </DocsPage>
);

/** People of the local world whose calendars do something on purpose, by address. A test compares them with the world. */
export const TEST_PEOPLE: Record<string, string> = {
  'busy.all.week@demo.test': 'Is busy at every hour of every day, so that no time is found.',
  'free@demo.test': 'Has an empty calendar.',
  'revoked@demo.test': 'Ended the consent in their Google account, so that they must connect again.',
  'declines@demo.test': 'Declines every invitation a minute after it came. Name them second, as the guest.',
  'moves@demo.test':
    'Moves the event in Google Calendar an hour later, a minute after it was booked. Name them first, as the organizer.',
  'slow@demo.test':
    'Has a calendar that answers after two seconds. A booking waits for it; a search can use what Tandem last read.',
  'down@demo.test': 'Has a calendar that answers 503, so that nothing is known about them.',
  'dst@demo.test': 'Lives where the clocks change next. `npm start` prints the zone and the day.',
  'part.time@demo.test': 'Works from Tuesday to Thursday.',
  'guest@demo.test': 'Never connected a calendar.',
};

/** The checklist before real people use an integration. */
export const GoingLivePage = (site: Site) => (
  <DocsPage path="/docs/going-live">
    <Prose>{`
      Check these points before real people use your integration of Tandem.
    `}</Prose>
    <h2>Keys</h2>
    <Prose>{`
      - Your secret key is only in the environment of your servers. If a secret key was ever in code or in a chat, you have
      [replaced](/docs/authentication#replace-a-key) the key.
      - Production and staging use different platforms, so that tests do not count toward the monthly limit of production.
    `}</Prose>
    <h2>Connecting people</h2>
    <Prose>{`
      - Your redirect URI is registered, and the page at the redirect URI handles \`success\` and
      [every error](/docs/connect#3-handle-the-return).
      - The link with which a person connects has a random \`state\`. When the person returns, you compare the \`state\`.
      - When you receive \`user.calendar.refresh_failed\`, you ask the person to connect again.
    `}</Prose>
    <h2>Booking</h2>
    <Prose>{`
      - Every request that books, moves or cancels has an [Idempotency-Key](/docs/idempotency) that stays the same when you
      send it again.
      - After an error 429 your program waits for the number of seconds in \`Retry-After\`, and then sends the request again.
      After an error 500 your program repeats the request after a pause that grows with each attempt. After any
      other error, your program does not repeat the request.
      - You handle [slot_unavailable](/docs/errors#slot_unavailable), [no_availability](/docs/errors#no_availability) and
      [calendar_reconnect_required](/docs/errors#calendar_reconnect_required).
      - You show each person the times in the person's own time zone. You never send a time [without an offset](/docs/time).
      - You store an ID of your own in the \`metadata\` of each meeting, so that you recognize the meeting in every event.
    `}</Prose>
    <h2>Webhooks</h2>
    <Prose>{`
      - Your server [verifies](/docs/webhooks#verifying) the signature of each webhook request, over the raw body.
      - Your server responds to a webhook request before it works on the event. Your server stores the \`id\` of each event,
      because the same event can arrive twice.
      - Your server ignores types of events and fields that it does not know.
      - After a failure of your server, you make Tandem send the missed events again, with
      [a replay](/docs/reference/webhooks#replayDeliveries).
    `}</Prose>
    <h2>Operation</h2>
    <Prose>{`
      - Your logs have the \`request_id\` of each error. If you ${contactUs(site)} about an error, send us its \`request_id\`.
      - A person on your side reads the event \`platform.usage_warning\`, and your plan allows enough meetings for a busy
      month. See [limits](/docs/limits).
      - Your users know the page \`/me\` on this host, where they see and end your platform's access to their calendars. See
      [data and privacy](/docs/data).
    `}</Prose>
  </DocsPage>
);
