import { type Browser, createBrowser, excerpt, type Page } from './browser.ts';

interface AuthorizationRequest {
  baseUrl: string;
  worldUrl: string;
  publishableKey: string;
  email: string;
  redirectUri?: string;
  state?: string;
}

/** Goes through the calendar consent as a person in a browser would. Returns the last page and the browser. */
export async function connectCalendar(journey: AuthorizationRequest): Promise<{ page: Page; browser: Browser }> {
  const browser = createBrowser([new URL(journey.baseUrl).host, new URL(journey.worldUrl).host]);
  const authorize = new URL('/v1/auth/calendar/authorize', journey.baseUrl);
  authorize.searchParams.set('platform_key', journey.publishableKey);
  authorize.searchParams.set('user_email', journey.email);
  if (journey.redirectUri !== undefined) authorize.searchParams.set('redirect_uri', journey.redirectUri);
  if (journey.state !== undefined) authorize.searchParams.set('state', journey.state);

  const asked = await browser.open(authorize.href);
  const consent = asked.status === 200 ? await browser.submit(asked, '/authorize') : asked;
  const page = await allow(browser, consent, journey.email);
  const isRefused = page.status >= 400 || new URL(page.url).searchParams.has('error');
  if (isRefused)
    throw new Error(`connecting ${journey.email} ended with ${page.status} at ${page.url}: ${excerpt(page)}`);
  return { page, browser };
}

/** Allows every permission on the provider's page. */
const allow = (browser: Browser, consent: Page, email: string) =>
  browser.submit(consent, '/consent', { email, action: 'allow' });

/** Signs in to a person's own page and returns that page. */
export async function signIn(journey: Pick<AuthorizationRequest, 'baseUrl' | 'worldUrl' | 'email'>) {
  const browser = createBrowser([new URL(journey.baseUrl).host, new URL(journey.worldUrl).host]);
  const login = new URL('/oauth/login', journey.baseUrl);
  login.searchParams.set('user_id', journey.email);
  const page = await allow(browser, await browser.open(login.href), journey.email);
  return { page, browser };
}

/** Connects a calendar, and then creates a user key on the person's own page. */
export async function connectWithKey(journey: AuthorizationRequest): Promise<{ email: string; api_key: string }> {
  await connectCalendar(journey);
  const { browser, page: me } = await signIn(journey);
  const made = await browser.submit(me, '/me/api-key');
  const key = /<code id="api-key">\s*(sk_user_[^<\s]+)/.exec(made.html)?.[1];
  if (key === undefined) throw new Error(`no user key for ${journey.email} at ${made.url} (${made.status})`);
  return { email: journey.email, api_key: key };
}
