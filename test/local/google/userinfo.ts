import { Hono } from 'hono';
import { findPerson } from './accounts.ts';
import { oauthError } from './errors.ts';
import type { Grants } from './grants.ts';
import { certs } from './id-token.ts';
import type { Store } from './store.ts';

/** `/v1/userinfo` and the keys the id tokens are signed with. */
export function identityRoutes({ store, grants }: { store: Store; grants: Grants }) {
  const app = new Hono();

  app.get('/oauth2/v3/certs', async (c) => {
    c.header('Cache-Control', 'public, max-age=3600');
    return c.json(await certs());
  });

  app.get('/v1/userinfo', (c) => {
    const token = c.req.header('authorization')?.match(/^bearer (.+)$/i)?.[1] ?? '';
    const found = grants.findAccessToken(token);
    if (!found?.scopes.includes('openid')) return oauthError(c, 401, 'invalid_request', 'Invalid Credentials');
    const { sub, email, name } = findPerson(store, found.grant.email);
    return c.json({ sub, name, email, email_verified: true });
  });

  return app;
}
