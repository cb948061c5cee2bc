import { MOST_STATE } from '../../../schema/api/calendar-oauth.ts';
import { MOST_REDIRECT_URIS } from '../../../schema/api/platform.ts';
import { Table } from '../components.tsx';
import { Call, type Site } from './call.tsx';
import { CONNECT_ERRORS } from './connect-errors.ts';
import { DocsPage } from './frame.tsx';
import { Response } from './response.tsx';
import { Prose, Words } from './words.tsx';

const KEPT = 24;

/** The guide to API keys: which there are, how to send one, and how to replace one. */
export const AuthenticationPage = (site: Site) => (
  <DocsPage path="/docs/authentication">
    <Prose>{`
      Send your platform's secret key with every request, in the header \`Authorization: Bearer sk_live_…\` or in the header
      \`X-API-Key: sk_live_…\`. Tandem's client sends the key that you pass as \`apiKey\`. Read the secret key from an
      environment variable. Do not put the secret key into code, a web page or an app.
    `}</Prose>
    <Call site={site} path="/v1/platform/settings" />
    <Response site={site} of="getSettings" />
    <Prose>{`
      If the key of a request is wrong, replaced or missing, Tandem returns 401 [unauthorized](/docs/errors#unauthorized).
    `}</Prose>
    <h2>Which key for what</h2>
    <Table
      head={['Key', 'Who has it', 'What it can do']}
      rows={[
        [
          <code>sk_live_…</code>,
          'Your servers',
          'Does everything on your platform: connects people, and books, moves and cancels meetings.',
        ],
        [
          <code>pk_live_…</code>,
          'Anybody',
          'Names your platform in the link with which a person connects. A publishable key reads and changes nothing.',
        ],
        [
          <code>sk_user_…</code>,
          'One person',
          <Words>
            Reads and changes this person's preferences, and what Tandem learned about the person. The person creates
            the key on `/me`.
          </Words>,
        ],
        [
          <code>whsec_…</code>,
          'Your servers',
          <Words>Verifies [webhooks](/docs/webhooks). A webhook secret is no API key.</Words>,
        ],
      ]}
    />
    <h2>Use a person's key</h2>
    <Prose>{`
      Endpoints whose path begins with \`/v1/user\` take a person's own API key (\`sk_user_…\`). The example reads the
      person's key from the environment variable \`TANDEM_USER_KEY\`.
    `}</Prose>
    <Call site={site} path="/v1/user/preferences" keyIn="TANDEM_USER_KEY" />
    <h2>Replace a key</h2>
    <Prose>{`
      Replace the secret key when a person who knew the key leaves, or when the key may have leaked. With
      \`keep_old_for_hours\` (1 to 72), the old key keeps working for that number of hours beside the new key, so that you
      can deploy the new key without a gap. Without \`keep_old_for_hours\`, the old key stops working at once. Tandem shows
      the new key only once. If the response with the new key is lost, send the request again with the same
      \`Idempotency-Key\`, and Tandem returns the same new key.
    `}</Prose>
    <Call
      site={site}
      path="/v1/platform/regenerate-key"
      idempotencyKey="rotate-1"
      body={{ keep_old_for_hours: KEPT }}
    />
    <Prose>{`
      You can replace a key once an hour. The [audit log](/docs/reference/platform#listAuditLog) lists every replacement of a
      key. If your webhook subscribed to the event \`platform.security_changed\`, Tandem also sends you that event.
    `}</Prose>
  </DocsPage>
);

/** The guide to connecting a person's calendar: the link, the consent, and each way in which the person comes back. */
export const ConnectPage = (site: Site) => (
  <DocsPage path="/docs/connect">
    <Prose>{`
      Before Tandem can read when a person is free, the person must connect their Google calendar once. You send the person
      a link. The link opens a page of Tandem that says what your platform asks for. The person continues to Google's consent
      page, and then returns to a page of yours.
    `}</Prose>
    <h2>1. Register your page</h2>
    <Prose>{`
      In \`redirect_uris\`, list the addresses of your pages to which people may return after the consent, at most
      ${MOST_REDIRECT_URIS}. Such an address begins with \`https://\`, or with \`http://localhost\` on your own machine. If you
      register no address, people end on a page of Tandem after the consent. With \`logo_url\`, Tandem's page before the
      consent also shows your logo.
    `}</Prose>
    <Call
      site={site}
      method="PUT"
      path="/v1/platform/settings"
      body={{ redirect_uris: ['https://acme.com/connected'] }}
    />
    <h2>2. Get the link</h2>
    <Prose>{`
      The link with which a person connects does not expire, and works any number of times. In \`state\`, send a random text
      that your product stores in the person's session, at most ${MOST_STATE} characters. When the person returns, compare
      the \`state\` in the address with the stored one. The comparison proves that your product began this consent.
    `}</Prose>
    <Call
      site={site}
      path="/v1/platform/oauth-url?user_email=ada@example.com&redirect_uri=https%3A%2F%2Facme.com%2Fconnected&state=k3J9x"
    />
    <Response site={site} of="getOauthUrl" />
    <h2>3. Handle the return</h2>
    <Prose>{`
      When a person returns to your page, the query of the address has your \`state\`, and either \`success=true\` or an
      \`error\`. If the query has an \`error\`, the person's calendar was not connected. Send the person the same link again.
      The \`error\` is one of these codes:
    `}</Prose>
    <Table
      head={['Error', 'What happened', 'What to tell the person']}
      ids={Object.keys(CONNECT_ERRORS)}
      rows={Object.entries(CONNECT_ERRORS).map(([code, [cause, advice]]) => [<code>{code}</code>, cause, advice])}
    />
    <Prose>{`
      A person must finish the consent within 10 minutes, in the browser in which the person began it. If the person does
      not, a page of Tandem tells the person so, and the person does not return to your page.
    `}</Prose>
    <h2>4. Check the connection</h2>
    <Prose>{`
      When a person has connected, Tandem sends you the event [user.calendar.connected](/docs/events#user.calendar.connected).
      You can also ask Tandem at any time whether a person is connected:
    `}</Prose>
    <Call site={site} path="/v1/users/ada@example.com/status" />
    <Response site={site} of="getUserStatus" />
    <h2>When access ends</h2>
    <Prose>{`
      A person can end your platform's access to their calendar on Tandem's page \`/me\`, or end Tandem's access in their
      Google account. When Google no longer lets Tandem read a person's calendar, Tandem sends you the event
      \`user.calendar.refresh_failed\` with a link for the person. Until the person opens the link and connects again, a
      search with this person returns 404 [calendar_reconnect_required](/docs/errors#calendar_reconnect_required). If the
      person does not connect again within 7 days, Tandem sends you the event \`user.calendar.disconnected\`. To end your
      platform's access to a person's calendar yourself, disconnect the calendar:
    `}</Prose>
    <Call site={site} method="DELETE" path="/v1/calendars/ada@example.com" />
  </DocsPage>
);
