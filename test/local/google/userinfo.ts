import { Hono } from 'hono';
import { findPerson } from './accounts.ts';
import { tokenOf } from './bearer.ts';
import { oauthError } from './errors.ts';
import type { Grants } from './grants.ts';
import { certs } from './id-token.ts';
import type { Store } from './store.ts';

/** Serves `/v1/userinfo`, and the keys with which ID tokens are signed. */
export function identityRoutes({ store, grants }: { store: Store; grants: Grants }) {
  const app = new Hono();

  app.get('/oauth2/v3/certs', async (c) => {
    c.header('Cache-Control', 'public, max-age=3600');
    return c.json(await certs());
  });

  app.get('/v1/userinfo', (c) => {
    const found = grants.findAccessToken(tokenOf(c.req.raw));
    if (!found?.scopes.includes('openid')) return oauthError(c, 401, 'invalid_request', 'Invalid Credentials');
    const { sub, email, name } = findPerson(store, found.grant.email);
    return c.json({ sub, name, email, email_verified: true });
  });

  return app;
}
