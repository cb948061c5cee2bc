import { type Context, Hono } from 'hono';
import { AppError, InternalError } from '../lib/kit/errors.ts';
import { type AppEnv, type Env, operatorOf } from './http/env.ts';
import { rateLimitByIp } from './middleware/rate-limit.ts';
import { restrict } from './pages/layout.tsx';
import { baseStyleOf, readPrerendered } from './pages/prerendered.ts';

/** Google's verification asks for these. Each is 404 without the company, address or date that it must name. */
export const legal = new Hono<AppEnv>();

for (const path of ['/privacy', '/terms', '/.well-known/security.txt']) legal.use(path, rateLimitByIp());

legal.get('/privacy', (c) => page(c, 'privacy.html'));
legal.get('/terms', (c) => page(c, 'terms.html'));

async function page(c: Context<AppEnv>, file: string): Promise<Response> {
  if (operatorOf(c.var.env) === undefined) throw nothingAt(c);
  const text = await readPrerendered(c, file);
  if (text === undefined) throw new InternalError(`The asset pages/${file} is missing.`);
  await restrict(c, (await baseStyleOf(c)).hash);
  return c.html(text);
}

legal.get('/.well-known/security.txt', (c) => {
  const text = securityText(c.var.env);
  if (text === undefined) throw nothingAt(c);
  return c.text(text);
});

const nothingAt = (c: Context) =>
  new AppError('not_found', `There is nothing at ${c.req.path}. The documentation is at /docs.`);

/** RFC 9116 requires a contact and an expiry date. Undefined if one is missing. */
function securityText({ BASE_URL, CONTACT_EMAIL, SECURITY_CONTACT, SECURITY_EXPIRES }: Env): string | undefined {
  const contact = SECURITY_CONTACT ?? (CONTACT_EMAIL === undefined ? undefined : `mailto:${CONTACT_EMAIL}`);
  if (contact === undefined || SECURITY_EXPIRES === undefined) return undefined;
  const fields = {
    Contact: contact,
    Expires: new Date(SECURITY_EXPIRES).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: `${BASE_URL}/.well-known/security.txt`,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
