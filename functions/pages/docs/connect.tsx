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
      Send your platform's secret key with every request, as \`Authorization: Bearer sk_live_…\` or as
      \`X-API-Key: sk_live_…\`. Read the key from an environment variable. Do not put it into code, a page or an app.
    `}</Prose>
    <Call site={site} path="/v1/platform/settings" />
    <Response site={site} of="getSettings" />
    <Prose>{`
      A wrong, replaced or missing key gets 401 [unauthorized](/docs/errors#unauthorized).
    `}</Prose>
    <h2>Which key for what</h2>
    <Table
      head={['Key', 'Who has it', 'What it can do']}
      rows={[
        [<code>sk_live_…</code>, 'Your servers', 'Everything on your platform: connect people, book, move and cancel.'],
        [
          <code>pk_live_…</code>,
          'Anybody',
          'Names your platform in the link with which a person connects. It opens nothing else.',
        ],
        [
          <code>sk_user_…</code>,
          'One person',
          <Words>
            Reads and changes this person's preferences and what Tandem learned. The person creates it on `/me`.
          </Words>,
        ],
        [<code>whsec_…</code>, 'Your servers', <Words>Verifies [webhooks](/docs/webhooks). It is no API key.</Words>],
      ]}
    />
    <h2>Use a person's key</h2>
    <Prose>{`
      Endpoints under \`/v1/user\` take a person's own key. The example reads it from \`TANDEM_USER_KEY\`.
    `}</Prose>
    <Call site={site} path="/v1/user/preferences" keyIn="TANDEM_USER_KEY" />
    <h2>Replace a key</h2>
    <Prose>{`
      Replace the secret key when somebody who knew it leaves, or when it may have leaked. With \`keep_old_for_hours\` (1 to
      72), the old key works beside the new one, so that you can deploy the new key without a gap. Without it, the old key
      stops at once. Tandem shows the new key once. If the response is lost, send the same \`Idempotency-Key\` again to get
      the same new key.
    `}</Prose>
    <Call
      site={site}
      path="/v1/platform/regenerate-key"
      idempotencyKey="rotate-1"
      body={{ keep_old_for_hours: KEPT }}
    />
    <Prose>{`
      You can replace a key once an hour. Every replacement is in the [audit log](/docs/reference/platform#listAuditLog),
      and you receive \`platform.security_changed\` if you subscribed to it.
    `}</Prose>
  </DocsPage>
);

/** The guide to connecting a person's calendar: the link, the consent, and each way in which the person comes back. */
export const ConnectPage = (site: Site) => (
  <DocsPage path="/docs/connect">
    <Prose>{`
      Before Tandem can read somebody's free times, they must connect their Google calendar once. You send them a link. The
      link opens a page that says what your platform asks for, then Google's consent page, then a page of yours.
    `}</Prose>
    <h2>1. Register your page</h2>
    <Prose>{`
      List the addresses to which people may return, at most ${MOST_REDIRECT_URIS}. An address begins with \`https://\`, or
      with \`http://localhost\` on your machine. Without one, people end on a page of Tandem's. With \`logo_url\`, the page that
      says what you ask for also shows your logo.
    `}</Prose>
    <Call
      site={site}
      method="PUT"
      path="/v1/platform/settings"
      body={{ redirect_uris: ['https://acme.com/connected'] }}
    />
    <h2>2. Get the link</h2>
    <Prose>{`
      The link does not expire and works any number of times. In \`state\`, send a random text that belongs to the person's
      session, at most ${MOST_STATE} characters. When they return, compare it, so that nobody can end a flow that your
      product did not begin.
    `}</Prose>
    <Call
      site={site}
      path="/v1/platform/oauth-url?user_email=ada@example.com&redirect_uri=https%3A%2F%2Facme.com%2Fconnected&state=k3J9x"
    />
    <Response site={site} of="getOauthUrl" />
    <h2>3. Handle the return</h2>
    <Prose>{`
      Tandem adds \`success=true\` and your \`state\` to the query of your address, or an \`error\` and your \`state\`. Nothing
      was connected if there is an \`error\`. Send the person the same link again.
    `}</Prose>
    <Table
      head={['Error', 'What happened', 'What to tell the person']}
      ids={Object.keys(CONNECT_ERRORS)}
      rows={Object.entries(CONNECT_ERRORS).map(([code, [cause, advice]]) => [<code>{code}</code>, cause, advice])}
    />
    <Prose>{`
      A consent must be finished within 10 minutes and in the browser in which it began. Otherwise the person sees a page of
      Tandem's that says so, and does not return to you.
    `}</Prose>
    <h2>4. Check the connection</h2>
    <Prose>{`
      You receive [user.calendar.connected](/docs/events#user.calendar.connected). You can also ask:
    `}</Prose>
    <Call site={site} path="/v1/users/ada@example.com/status" />
    <Response site={site} of="getUserStatus" />
    <h2>When access ends</h2>
    <Prose>{`
      A person can end the access on \`/me\` or in their Google account. If Google refuses Tandem, you receive
      \`user.calendar.refresh_failed\` with a link for the person, and searches get 404
      [calendar_reconnect_required](/docs/errors#calendar_reconnect_required). If the person does not connect again within
      7 days, you receive \`user.calendar.disconnected\`. To end the access yourself:
    `}</Prose>
    <Call site={site} method="DELETE" path="/v1/calendars/ada@example.com" />
  </DocsPage>
);
