import { Hono } from 'hono';
import { html } from 'hono/html';
import { addPerson } from './accounts.ts';
import type { Grants } from './grants.ts';
import type { Person, Store } from './store.ts';

const CARRIED = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'access_type',
  'prompt',
  'code_challenge',
  'code_challenge_method',
] as const;

const isTickable = (scope: string) => scope.startsWith('https://www.googleapis.com/auth/calendar');
const scopesIn = (text: string) => text.split(/\s+/).filter(Boolean);

interface ConsentDeps {
  store: Store;
  grants: Grants;
  clientId: string;
  newcomers: { domain: string; timezone: string } | undefined;
}

/** Serves `accounts.google.com`: the consent page and its form. */
export function consentRoutes({ store, grants, clientId, newcomers }: ConsentDeps) {
  const app = new Hono();

  /** Returns the account under an address. A newcomer's is made on the way. */
  function accountOf(address: string | undefined): Person | undefined {
    const email = (address ?? '').toLowerCase();
    const isNew = newcomers !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) && email.endsWith(`@${newcomers.domain}`);
    if (isNew && !store.people.has(email)) addPerson(store, { email, timezone: newcomers.timezone });
    return store.people.get(email);
  }

  app.get('/o/oauth2/v2/auth', (c) => {
    const query = c.req.query();
    if (query.client_id !== clientId)
      return c.html(errorPage('invalid_client', 'The OAuth client was not found.'), 401);
    const fault = faultIn(query);
    if (fault) return c.html(errorPage('invalid_request', fault), 400);
    const hinted = accountOf(query.login_hint);
    const hidden = CARRIED.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
    return c.html(
      consentPage({
        people: hinted ? [hinted] : [...store.people.values()],
        scopes: scopesIn(query.scope ?? '').filter(isTickable),
        hidden: Object.fromEntries(hidden),
      }),
    );
  });

  app.post('/o/oauth2/v2/auth/consent', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const fields = Object.fromEntries(form);
    const fault = faultIn({ ...fields, response_type: 'code' });
    if (fault || fields.client_id !== clientId) return c.html(errorPage('invalid_request', fault ?? 'client_id'), 400);
    const back = new URL(fields.redirect_uri ?? '');
    if (fields.state !== undefined) back.searchParams.set('state', fields.state);
    if (fields.action !== 'allow') {
      back.searchParams.set('error', 'access_denied');
      return c.redirect(back.href, 302);
    }
    const person = accountOf(fields.email);
    if (!person) return c.html(errorPage('invalid_request', `No Google account ${fields.email}`), 400);

    const ticked = new Set(form.getAll('granted'));
    const allowed = store.settings.grantedScopes.get(person.email);
    const scopes = scopesIn(fields.scope ?? '').filter(
      (scope) =>
        !isTickable(scope) ||
        (ticked.has(scope) &&
          (allowed?.includes(scope) ?? true) &&
          !person.unticked?.some((name) => scope.endsWith(name))),
    );
    const { grant, isFirst } = grants.consent(person.email, scopes);
    const code = grants.issueCode({
      grant,
      redirectUri: fields.redirect_uri ?? '',
      challenge: fields.code_challenge,
      withRefreshToken:
        fields.access_type === 'offline' && (isFirst || scopesIn(fields.prompt ?? '').includes('consent')),
    });
    back.searchParams.set('code', code);
    back.searchParams.set('scope', scopes.join(' '));
    back.searchParams.set('authuser', '0');
    back.searchParams.set('prompt', 'consent');
    return c.redirect(back.href, 302);
  });

  return app;
}

function faultIn(query: Record<string, string>): string | undefined {
  if (query.response_type !== 'code') return 'Required parameter is missing: response_type';
  if (!query.scope) return 'Missing required parameter: scope';
  if (!query.redirect_uri) return 'Missing required parameter: redirect_uri';
  if (!URL.canParse(query.redirect_uri)) return 'Invalid parameter value for redirect_uri';
  if (query.code_challenge && query.code_challenge_method !== 'S256') return 'Only S256 is supported here';
  return undefined;
}

const SCOPE_LABELS: Record<string, string> = {
  'https://www.googleapis.com/auth/calendar.events': 'View and edit events on your calendars',
  'https://www.googleapis.com/auth/calendar.freebusy': 'See when you are free or busy',
  'https://www.googleapis.com/auth/calendar.settings.readonly': 'See your calendar settings, such as your time zone',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly': 'See the list of your calendars',
};

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; color: #1f1f1f; background: #f0f4f9; margin: 0; }
  main { max-width: 30rem; margin: 8vh auto; background: #fff; padding: 2rem 2.5rem; border-radius: 1.5rem; }
  h1 { font-size: 1.5rem; font-weight: 500; margin: 0 0 .5rem; }
  fieldset { border: 1px solid #dde3ea; border-radius: .75rem; margin: 1.25rem 0; padding: .75rem 1rem; }
  legend { padding: 0 .5rem; color: #5f6368; font-size: .875rem; }
  label { display: block; padding: .35rem 0; cursor: pointer; }
  .actions { display: flex; justify-content: flex-end; gap: .75rem; }
  button { font: inherit; padding: .5rem 1.5rem; border-radius: 2rem; border: 1px solid #747775; background: #fff;
    color: #0b57d0; cursor: pointer; }
  button[value=allow] { background: #0b57d0; border-color: #0b57d0; color: #fff; }
  button:focus-visible { outline: 3px solid #a8c7fa; outline-offset: 2px; }
  small { color: #5f6368; }
`;

/** Renders Google's consent page, where a person chooses an account, ticks scopes, and allows or cancels. */
function consentPage(input: { people: Person[]; scopes: string[]; hidden: Record<string, string> }) {
  const { people, scopes, hidden } = input;
  return page(
    'Sign in with Google (local)',
    html`<h1>Tandem wants to access your Google Account</h1>
      <form method="post" action="auth/consent">
        ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <fieldset>
          <legend>Account</legend>
          ${people.map(
            ({ email, name }, index) =>
              html`<label
                ><input type="radio" name="email" value="${email}" required ${index === 0 ? 'checked' : ''} /> ${name}
                <small>${email}</small></label
              >`,
          )}
        </fieldset>
        <fieldset>
          <legend>Select what Tandem can access</legend>
          ${scopes.map(
            (scope) =>
              html`<label
                ><input type="checkbox" name="granted" value="${scope}" checked /> ${SCOPE_LABELS[scope] ?? scope}</label
              >`,
          )}
        </fieldset>
        <div class="actions">
          <button name="action" value="deny" formnovalidate>Cancel</button>
          <button name="action" value="allow">Continue</button>
        </div>
      </form>`,
  );
}

function errorPage(error: string, detail: string) {
  return page(
    `Error 400: ${error}`,
    html`<h1>Access blocked</h1>
      <p>Error 400: ${error}</p>
      <p>${detail}</p>`,
  );
}

function page(title: string, body: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${STYLE}</style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
}
