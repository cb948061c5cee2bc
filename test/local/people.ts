import { sha256 } from '../../lib/kit/ids.ts';
import { type Browser, createBrowser, excerpt, type Page } from './browser.ts';
import type { Neon } from './neon.ts';
import { DEMO_DOMAIN } from './parties.ts';
import type { PlatformKeys } from './platforms.ts';

interface PeopleDeps {
  neon: Pick<Neon, 'query'>;
  /** Returns true if this address, in lower case, has a Google account. */
  hasAccount(email: string): boolean;
  /** Keys that an earlier start saved. */
  kept: Map<string, string> | undefined;
  connect(platform: PlatformKeys, email: string): Promise<void>;
  connectWithKey(platform: PlatformKeys, email: string): Promise<{ email: string; api_key: string }>;
}

/** Creates the list of this world's people with their user keys. The product itself stores only hashes of them. */
export function createPeople({ neon, kept, hasAccount, connect, connectWithKey }: PeopleDeps) {
  const keys = new Map(kept);
  return {
    keep: () => keys,
    /**
     * Connects a person, unless they are, and returns their user key: the known one while it is valid, or a new one.
     * Throws for an address without a Google account.
     */
    async connect(platform: PlatformKeys, email: string): Promise<{ email: string; api_key: string }> {
      if (!hasAccount(email.toLowerCase()))
        throw new Error(
          `${email} has no Google account here. Use an address of ${DEMO_DOMAIN}, or add one with POST /google/users.`,
        );
      const known = keys.get(email);
      if (known !== undefined && (await isLive(neon, known))) {
        if (!(await isConnected(neon, platform.id, email))) await connect(platform, email);
        if (await isLive(neon, known)) return { email, api_key: known };
      }
      const made = await connectWithKey(platform, email);
      keys.set(email, made.api_key);
      return made;
    },
  };
}

// Asked of the database, because the product answers only a secret key, and that may have been replaced.
async function isConnected(neon: Pick<Neon, 'query'>, platformId: string, email: string): Promise<boolean> {
  const rows = await neon.query(
    `select 1 from connections join users on users.id = connections.user_id
     join calendar_accounts on calendar_accounts.user_id = users.id
     where platform_id = $1 and email = $2 and disconnected_at is null and calendar_accounts.status = 'connected'`,
    [platformId, email.toLowerCase()],
  );
  return rows.length > 0;
}

export async function isLive(neon: Pick<Neon, 'query'>, key: string): Promise<boolean> {
  const [row] = await neon.query('select revoked_at from api_keys where hash = $1', [await sha256(key)]);
  return row !== undefined && row.revoked_at === null;
}

/** Returns the platform's secret key. Throws if it was replaced; the message ends with `instead`. */
export async function liveKey(
  neon: Pick<Neon, 'query'>,
  { id, secret_key }: PlatformKeys,
  instead: string,
): Promise<string> {
  if (await isLive(neon, secret_key)) return secret_key;
  throw new Error(`The secret key of ${id} was replaced, and only you have the new one. ${instead}`);
}

interface AuthorizationRequest {
  baseUrl: string;
  worldUrl: string;
  publishableKey: string;
  email: string;
}

/** Goes through the calendar consent as a person in a browser would. Returns the last page and the browser. */
export async function connectCalendar(journey: AuthorizationRequest): Promise<{ page: Page; browser: Browser }> {
  const browser = createBrowser([new URL(journey.baseUrl).host, new URL(journey.worldUrl).host]);
  const authorize = new URL('/v1/auth/calendar/authorize', journey.baseUrl);
  authorize.searchParams.set('platform_key', journey.publishableKey);
  authorize.searchParams.set('user_email', journey.email);

  const asked = await browser.open(authorize.href);
  const consent = asked.status === 200 ? await browser.submit(asked, '/authorize') : asked;
  const page = await allow(browser, consent, journey.email);
  const isRefused = page.status >= 400 || new URL(page.url).searchParams.has('error');
  if (isRefused)
    throw new Error(`connecting ${journey.email} ended with ${page.status} at ${page.url}: ${excerpt(page)}`);
  return { page, browser };
}

const allow = (browser: Browser, consent: Page, email: string) =>
  browser.submit(consent, '/consent', { email, action: 'allow' });

export async function signIn(journey: Pick<AuthorizationRequest, 'baseUrl' | 'worldUrl' | 'email'>) {
  const browser = createBrowser([new URL(journey.baseUrl).host, new URL(journey.worldUrl).host]);
  const login = new URL('/oauth/login', journey.baseUrl);
  login.searchParams.set('user_id', journey.email);
  const page = await allow(browser, await browser.open(login.href), journey.email);
  return { page, browser };
}

export async function connectWithKey(journey: AuthorizationRequest): Promise<{ email: string; api_key: string }> {
  await connectCalendar(journey);
  const { browser, page: me } = await signIn(journey);
  const made = await browser.submit(me, '/me/api-key');
  const key = /<code id="api-key">\s*(sk_user_[^<\s]+)/.exec(made.html)?.[1];
  if (key === undefined) throw new Error(`no user key for ${journey.email} at ${made.url} (${made.status})`);
  return { email: journey.email, api_key: key };
}
