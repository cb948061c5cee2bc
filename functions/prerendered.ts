import { type Context, Hono } from 'hono';
import { AppError, InternalError } from '../lib/kit/errors.ts';
import { type AppEnv, type Env, isOperatorNamed } from './http/env.ts';
import { CARD, FEED_PATH, files, ICON_PATH, type OpenapiDocument, readOpenapi } from './http/files.ts';
import { rateLimitByIp, rateLimitDocs } from './middleware/rate-limit.ts';
import { renderFailure, restrict } from './pages/layout.tsx';
import { baseStyleOf, hashOf, readPrerendered } from './pages/prerendered.ts';

/** `npm run build` prerenders it: pages, what their search finds, and llms.txt for language models. */
export const docs = new Hono<AppEnv>();

docs.onError(renderFailure);
for (const path of ['/', '/docs/*', '/docs.md', '/llms.txt', '/client/*', CARD.path, ICON_PATH])
  docs.use(path, rateLimitDocs());

docs.route('/', files);

docs.get('/', async (c) => (await page(c, 'home')) ?? c.notFound());
docs.get('/docs/places.json', async (c) => cached(c, await textAt(c, 'docs/places.json'), 'application/json'));
docs.get(FEED_PATH, async (c) => cached(c, await textAt(c, FEED_PATH.slice(1)), 'application/atom+xml; charset=UTF-8'));
for (const end of ['', '.md']) {
  docs.get(`/docs/time${end}`, (c) => c.redirect(`/docs/conventions${end}`, 301));
  docs.get(`/docs/quickstart${end}`, (c) => c.redirect(`/docs${end}`, 301));
}
for (const path of ['/docs', '/docs.md', '/docs/*'])
  docs.get(path, async (c) => (await page(c, c.req.path.slice(1))) ?? c.notFound());

docs.get('/llms.txt', async (c) => c.text(await textAt(c, 'llms.txt')));

async function textAt(c: Context<AppEnv>, file: string): Promise<string> {
  const found = await readPrerendered(c, file);
  if (found === undefined) throw new InternalError(`The asset pages/${file} is missing.`);
  return found;
}

/** A name that ends in `.md` gets the Markdown. Returns undefined if there is no such page. */
async function page(c: Context<AppEnv>, name: string): Promise<Response | undefined> {
  if (!/^\w+(?:[./-]\w+)*$/.test(name)) return undefined;
  const isMarkdown = name.endsWith('.md');
  const text = await readPrerendered(c, isMarkdown ? name : `${name}.html`);
  if (text === undefined) return undefined;
  if (isMarkdown) return cached(c, text, 'text/markdown; charset=UTF-8');
  const [, script] = /<script>(.*?)<\/script>/s.exec(text) ?? [];
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  const connect = c.req.path === '/' ? undefined : "'self'";
  await restrict(c, await hashOf(style), { script, images: "'self'", connect });
  const markdown = c.req.path === '/' ? '' : `<${c.req.path}.md>; rel="alternate"; type="text/markdown", `;
  c.header('Link', `${markdown}</llms.txt>; rel="llms-txt"`);
  return cached(c, text, 'text/html; charset=UTF-8');
}

/** Browsers may keep the text for five minutes, and then ask by its ETag, which 304 answers if it is unchanged. */
async function cached(c: Context, text: string, type: string): Promise<Response> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const tag = `"${[...digest.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
  c.header('Cache-Control', 'public, max-age=300');
  c.header('ETag', tag);
  // A weak tag has the prefix W/, which Cloudflare adds when it compresses an answer.
  const known = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag)) return c.body(null, 304);
  c.header('Content-Type', type);
  return c.body(text);
}

let written: { env: Env; text: string } | undefined;

export const openapi = new Hono<AppEnv>();

openapi.get('/openapi.json', async (c) => {
  const { env } = c.var;
  if (written?.env !== env) written = { env, text: withAddresses(await readOpenapi(env), env) };
  return c.body(written.text, 200, { 'Content-Type': 'application/json' });
});

function withAddresses(document: OpenapiDocument, { BASE_URL: url, SUPPORT_EMAIL: email }: Env): string {
  const contact = { ...document.info.contact, url, ...(email === undefined ? {} : { email }) };
  return JSON.stringify({ ...document, info: { ...document.info, contact }, servers: [{ url }] });
}

/** Google's verification asks for these. Each is 404 without the company, address or date that it must name. */
export const legal = new Hono<AppEnv>();

for (const path of ['/privacy', '/terms', '/.well-known/security.txt']) legal.use(path, rateLimitByIp());

legal.get('/privacy', (c) => legalPage(c, 'privacy.html'));
legal.get('/terms', (c) => legalPage(c, 'terms.html'));

async function legalPage(c: Context<AppEnv>, file: string): Promise<Response> {
  if (!isOperatorNamed(c.var.env)) throw nothingAt(c);
  const text = await textAt(c, file);
  await restrict(c, (await baseStyleOf(c)).hash);
  return c.html(text);
}

legal.get('/.well-known/security.txt', (c) => {
  const { BASE_URL, CONTACT_EMAIL, SECURITY_CONTACT, SECURITY_EXPIRES } = c.var.env;
  const contact = SECURITY_CONTACT ?? (CONTACT_EMAIL && `mailto:${CONTACT_EMAIL}`);
  // RFC 9116 requires a contact and an expiry date.
  if (contact === undefined || SECURITY_EXPIRES === undefined) throw nothingAt(c);
  const fields = {
    Contact: contact,
    Expires: new Date(SECURITY_EXPIRES).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: `${BASE_URL}/.well-known/security.txt`,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return c.text(lines.join(''));
});

const nothingAt = (c: Context) =>
  new AppError('not_found', `There is nothing at ${c.req.path}. The documentation is at /docs.`);
