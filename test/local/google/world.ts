import { createHash, randomBytes } from 'node:crypto';
import { auth, calendar } from '@googleapis/calendar';
import { serve } from '@hono/node-server';
import { formsOf } from '../browser.ts';
import { createGoogle } from './index.ts';

export const CLIENT_ID = 'tandem.apps.googleusercontent.com';
export const CLIENT_SECRET = 'GOCSPX-local';
export const REDIRECT_URI = 'http://localhost:8787/oauth/callback';

const PREFIX = 'https://www.googleapis.com/auth/';
export const SCOPES = [
  'openid',
  'email',
  `${PREFIX}calendar.events`,
  `${PREFIX}calendar.freebusy`,
  `${PREFIX}calendar.settings.readonly`,
];

/** Starts the Google stand-in on a loopback port, with the official client pointed at it. */
export async function openGoogleWorld() {
  let now = Date.parse('2026-03-02T08:00:00Z');
  const clock = {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
  const pushes: Request[] = [];
  const google = createGoogle({
    clock,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    push: async (request) => {
      pushes.push(request);
    },
  });
  const server = serve({ fetch: google.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false });
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;

  const oauthClient = () =>
    new auth.OAuth2({
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      redirectUri: REDIRECT_URI,
      forceRefreshOnFailure: true,
      endpoints: {
        oauth2AuthBaseUrl: `${url}/o/oauth2/v2/auth`,
        oauth2TokenUrl: `${url}/token`,
        oauth2RevokeUrl: `${url}/revoke`,
      },
    });

  /** Goes through the consent page and returns the URL to which the browser was sent. */
  async function consent(input: { email: string; scopes?: string[]; query?: Record<string, string> }) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: (input.scopes ?? SCOPES).join(' '),
      state: 'st"at&e',
      access_type: 'offline',
      prompt: 'consent',
      login_hint: input.email,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...input.query,
    });
    const pageUrl = `${url}/o/oauth2/v2/auth?${query}`;
    const html = await (await fetch(pageUrl)).text();
    const [form] = formsOf({ url: pageUrl, status: 200, html });
    if (!form) return { code: '', verifier, html };
    const { fields } = form;
    fields.set('email', input.email);
    fields.set('action', 'allow');
    const answer = await fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' });
    const { searchParams } = new URL(answer.headers.get('location') ?? url);
    return { code: searchParams.get('code') ?? '', verifier, html };
  }

  async function connect(email: string, scopes = SCOPES) {
    const { code, verifier } = await consent({ email, scopes });
    const client = oauthClient();
    const { tokens } = await client.getToken({ code, codeVerifier: verifier });
    client.setCredentials(tokens);
    return { client, tokens, api: calendar({ version: 'v3', auth: client, rootUrl: `${url}/`, retry: false }) };
  }

  let joined = 0;

  /** Adds a person with a calendar in this zone and connects them. */
  async function join(timezone = 'UTC', scopes = SCOPES) {
    joined += 1;
    const email = `p${joined}@example.com`;
    google.addUser({ email, timezone });
    return { email, ...(await connect(email, scopes)) };
  }

  async function close() {
    await new Promise((resolve) => server.close(resolve));
  }

  return { google, clock, pushes, url, consent, connect, join, close };
}

export type GoogleWorld = Awaited<ReturnType<typeof openGoogleWorld>>;
export type Joined = Awaited<ReturnType<GoogleWorld['join']>>;

/** Returns the status, reason and message of the API error with which a call ends. */
export async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as { status: number; response?: { data?: unknown } },
  );
  const data = error?.response?.data as { error?: { errors?: { reason: string; message: string }[] } } | undefined;
  const first = data?.error?.errors?.[0];
  return { status: error?.status, reason: first?.reason, message: first?.message };
}
