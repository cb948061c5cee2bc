import { afterAll, beforeAll, expect, test } from 'vitest';
import { app } from '../../functions/app.ts';
import { examine } from '../../functions/cli/doctor.ts';
import { createClock } from '../local/clock.ts';
import { HOSTS } from '../local/hosts.ts';
import { createParties, type Parties } from '../local/parties.ts';
import { createSecrets } from '../local/secrets.ts';

const secrets = createSecrets();
const WHOLE = {
  ...secrets,
  BASE_URL: 'https://api.acme.com',
  OWN_DOMAIN: 'acme.com',
  // The doctor's look at a database that answers is among the suites on servers.
  DATABASE_URL: 'postgres://postgres@127.0.0.1:1/tandem',
  UPSTASH_REDIS_REST_URL: `https://${HOSTS.redis}`,
};
let parties: Parties;

beforeAll(async () => {
  parties = await createParties({ clock: createClock(), secrets });
});
afterAll(() =>
  Promise.all([parties.neon, parties.redis, parties.google, parties.qstash].map((party) => party.close())),
);

async function ask(request: Request): Promise<Response> {
  const { hostname } = new URL(request.url);
  if (hostname === HOSTS.redis) return parties.redis.fetch(request);
  if (hostname === HOSTS.qstash) return parties.qstash.fetch(request);
  if (hostname === HOSTS.googleOAuth) return parties.google.fetch(request);
  if (hostname === 'api.acme.com') return app.fetch(request, WHOLE);
  return new Response(null, { status: 404 });
}

async function findings(env: Record<string, string | undefined>): Promise<Record<string, string>> {
  const found = await examine({ ...WHOLE, ...env }, ask);
  return Object.fromEntries(found.map(({ name, state, text }) => [name, `${state}: ${text}`]));
}

test('a deployment that is well says so, service by service', async () => {
  expect(await findings({})).toEqual({
    Variables: 'well: all there',
    Database: 'wrong: Nobody listens at the host and port of DATABASE_URL.',
    Redis: 'well: answers',
    QStash: 'well: knows the token and signs with the keys given',
    Google: 'well: knows the OAuth client',
    Worker: 'well: version 1.0.0 answers at https://api.acme.com',
  });
});

test.each([
  [
    'a variable that is malformed',
    { TOKEN_KEYS: 'short', DATABASE_URL: 'postgres://postgres@127.0.0.1:1/other' },
    {
      Variables:
        'wrong: The environment is incomplete: TOKEN_KEYS: must be "<id>:<base64 of 32 bytes>", comma separated.',
    },
  ],
  [
    'a token of another Redis',
    { UPSTASH_REDIS_REST_TOKEN: 'other' },
    { Redis: 'wrong: UPSTASH_REDIS_REST_TOKEN does not belong to UPSTASH_REDIS_REST_URL.' },
  ],
  [
    'a token of another region',
    { QSTASH_TOKEN: 'other' },
    {
      QStash:
        'wrong: QSTASH_TOKEN is not known at https://qstash.upstash.io; an account of another region needs its own QSTASH_URL.',
    },
  ],
  [
    'signing keys from before a rotation',
    { QSTASH_NEXT_SIGNING_KEY: 'sig_old' },
    { QStash: 'wrong: its signing keys are others than QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY.' },
  ],
  [
    'a secret of another client',
    { GOOGLE_CLIENT_SECRET: 'other' },
    { Google: 'wrong: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not of one client.' },
  ],
  [
    'an address where nothing is deployed',
    { BASE_URL: 'https://new.acme.com' },
    { Worker: 'wrong: https://new.acme.com/health answers 404: is it deployed there?' },
  ],
  [
    'variables that are missing',
    { QSTASH_TOKEN: undefined, GOOGLE_CLIENT_ID: '' },
    { QStash: 'not asked: without QSTASH_TOKEN.', Google: 'not asked: without GOOGLE_CLIENT_ID.' },
  ],
])('%s is named, with what to do', async (_name, env, expected) => {
  expect(await findings(env)).toMatchObject(expected);
});
