import { type Context, Hono } from 'hono';
import { AppError } from '../../../lib/kit/errors.ts';
import type { AppEnv, Env } from '../../env.ts';
import { rateLimitByIp } from '../../middleware/rate-limit.ts';
import { renderPage } from '../layout.tsx';
import { type Operator, operatorOf } from './operator.ts';
import { PrivacyPage } from './privacy.tsx';
import { TermsPage } from './terms.tsx';

/**
 * Routes of the privacy page and the terms, which Google's verification asks for, and of security.txt. Each is 404 if
 * the environment lacks the company, address or date that it must name.
 */
export const legal = new Hono<AppEnv>();

for (const path of ['/privacy', '/terms', '/.well-known/security.txt']) legal.use(path, rateLimitByIp());

legal.get('/privacy', (c) => renderPage(c, <PrivacyPage operator={operatorOrNone(c)} />));
legal.get('/terms', (c) => renderPage(c, <TermsPage operator={operatorOrNone(c)} />));

legal.get('/.well-known/security.txt', (c) => {
  const text = securityText(c.var.env);
  if (text === undefined)
    throw new AppError('not_found', `There is nothing at ${c.req.path}. /docs has the documentation.`);
  return c.text(text);
});

function operatorOrNone(c: Context<AppEnv>): Operator {
  const operator = operatorOf(c.var.env);
  if (operator === undefined)
    throw new AppError('not_found', `There is nothing at ${c.req.path}. /docs has the documentation.`);
  return operator;
}

/**
 * Returns the text of security.txt in the format of RFC 9116. Returns undefined without a contact or an expiry date,
 * because the format requires both.
 */
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
