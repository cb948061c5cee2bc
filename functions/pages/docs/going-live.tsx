import { Table } from '../components.tsx';
import { Block, Call, type Site } from './call.tsx';
import { DocsPage } from './frame.tsx';
import { contactUs, Prose } from './words.tsx';

const LOCAL = { baseUrl: 'http://127.0.0.1:8788' };

/** The page about trying things out: the local world with its people, events and clock, and tests in production. */
export const TestingPage = (site: Site) => (
  <DocsPage path="/docs/testing">
    <Prose>{`
      The whole service runs on your machine, without an account anywhere. In Tandem's repository, run:
    `}</Prose>
    <Block>npm install && npm start</Block>
    <Prose>{`
      \`npm start\` prints the API's address, a secret key, and the address of a control server, usually
      \`${LOCAL.baseUrl}\`. The control server changes the world around the API.
    `}</Prose>
    <h2>People for each case</h2>
    <Prose>{`
      Name one of these addresses beside \`ana.silva@demo.test\` to see what your product does in that case.
    `}</Prose>
    <Table
      head={['Address', 'Their calendar']}
      rows={Object.entries(TEST_PEOPLE).map(([email, what]) => [<code>{email}</code>, what])}
    />
    <h2>Connect somebody at once</h2>
    <Prose>{`
      Any address of \`demo.test\` can be connected without a browser. You get the person's own key:
    `}</Prose>
    <Call site={LOCAL} path="/connect" body={{ email: 'you@demo.test' }} keyIn={null} />
    <h2>Make an event happen</h2>
    <Prose>{`
      Name an [event](/docs/events), and the world does what leads to it. Your webhook URL receives the signed event. The URL
      may be \`http://localhost:<port>/…\`.
    `}</Prose>
    <Call site={LOCAL} path="/trigger" body={{ event: 'meeting.scheduled' }} />
    <Prose>{`
      The control server's inbox shows what was sent to a URL that is not on your machine:
    `}</Prose>
    <Call site={LOCAL} path="/inbox" keyIn={null} />
    <h2>Move the clock</h2>
    <Prose>{`
      Proposals expire and months end when the clock says so. Move it forward, and everything that is due happens:
    `}</Prose>
    <Call site={LOCAL} path="/clock" body={{ advance_seconds: 3_600 }} keyIn={null} />
    <Prose>{`
      The clock does not go back. Webhooks then carry the world's time, so a receiver that compares it with the time of your
      machine refuses them as too far away. Give your receiver's check the time that \`GET /clock\` returns, or start a
      new world with \`npm start -- --fresh\`.
    `}</Prose>
    <h2>Test in production</h2>
    <Prose>{`
      \`POST /v1/platform/webhook/test\` sends a sample event to your URL, and returns what your server answered. Write a test
      platform's key into your staging environment, so that tests do not count toward the limit of your customers.
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
      Go through this list before real people use your integration.
    `}</Prose>
    <h2>Keys</h2>
    <Prose>{`
      - The secret key is only in your servers' environment. A key that was ever in code or a chat is
      [replaced](/docs/authentication#replace-a-key).
      - Production and staging use different platforms, so that tests do not count toward your limit.
    `}</Prose>
    <h2>Connecting people</h2>
    <Prose>{`
      - Your redirect URI is registered, and your page handles \`success\` and [every error](/docs/connect#3-handle-the-return).
      - You send a \`state\` and compare it when the person returns.
      - When you receive \`user.calendar.refresh_failed\`, you ask the person to connect again.
    `}</Prose>
    <h2>Booking</h2>
    <Prose>{`
      - Every request that books, moves or cancels has an [Idempotency-Key](/docs/idempotency) that stays the same when you
      send it again.
      - You retry 429 after \`Retry-After\`, and 500 with a growing pause. You do not retry other errors.
      - You handle [slot_unavailable](/docs/errors#slot_unavailable), [no_availability](/docs/errors#no_availability) and
      [calendar_reconnect_required](/docs/errors#calendar_reconnect_required).
      - Times that you show have the person's own zone. You never send a time [without an offset](/docs/time).
      - Your own ID is in \`metadata\`, so that you recognize the meeting in every event.
    `}</Prose>
    <h2>Webhooks</h2>
    <Prose>{`
      - You [verify](/docs/webhooks#verifying) each event, over the raw body.
      - You answer before you work on the event, and store the \`id\` of each, because an event can arrive twice.
      - You ignore types and fields that you do not know.
      - After a failure of your server, you [replay](/docs/reference/webhooks#replayDeliveries) what you missed.
    `}</Prose>
    <h2>Operation</h2>
    <Prose>{`
      - Your logs have the \`request_id\` of each error. We find a request by it if you ${contactUs(site)}.
      - Somebody reads \`platform.usage_warning\`, and your plan has room for a busy month. See [limits](/docs/limits).
      - People find \`/me\` on this host, where they see and end your access. See [data and privacy](/docs/data).
    `}</Prose>
  </DocsPage>
);
