import { Layout } from '../layout.tsx';
import { Call, Script, type Site } from './call.tsx';
import { Card } from './card.tsx';
import { DOCS_STYLE } from './style.ts';
import { Prose } from './words.tsx';

const PAIR = ['ada@example.com', 'bob@example.com'];
const ABOUT = 'The scheduling API. Two calendars, the best time for both people, one booking, signed webhooks.';

/** The first page of the service: what it is, and the three calls that matter. */
export const HomePage = (site: Site) => (
  <Layout
    title="The scheduling API"
    home="/"
    style={DOCS_STYLE}
    nav={{
      label: 'Main',
      links: [
        { path: '/docs', title: 'Docs' },
        { path: '/docs/reference', title: 'Reference' },
      ],
    }}
    head={
      <>
        <Card title="Tandem" about={ABOUT} path="/" />
        <Script />
      </>
    }
  >
    <p class="lead">
      Tandem finds the time that suits two people best, books it on both calendars, and tells your server what happens.
    </p>
    <p>
      <a class="button" href="/docs">
        Book your first meeting
      </a>
    </p>
    <h2>1. Connect two people</h2>
    <Prose>{`Each person opens a link and consents once.`}</Prose>
    <Call site={site} path="/v1/platform/oauth-url?user_email=ada@example.com" />
    <h2>2. Find the best times</h2>
    <Prose>{`Tandem reads both calendars and ranks the free times, each with a reason.`}</Prose>
    <Call site={site} path="/v1/availability" body={{ attendees: PAIR, duration_minutes: 30 }} />
    <h2>3. Book one</h2>
    <Prose>{`Both people get the event with a video link. Your server gets a [signed webhook](/docs/webhooks).`}</Prose>
    <Call
      site={site}
      path="/v1/schedule"
      idempotencyKey="order-4711"
      body={{
        attendees: PAIR,
        start_time: `${site.date}T14:00:00Z`,
        duration_minutes: 30,
        title: 'Intro',
        require_free: true,
      }}
    />
  </Layout>
);
