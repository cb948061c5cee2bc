import { Hono } from 'hono';
import { addPerson } from './accounts.ts';
import { consentPage, errorPage } from './consent-page.ts';
import type { Grants } from './grants.ts';
import type { Person, Store } from './store.ts';

const CARRIED = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'access_type',
  'prompt',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'include_granted_scopes',
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
      nonce: fields.nonce,
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
