import { afterAll, expect, test } from 'vitest';
import { createSealer } from '../../../lib/adapters/sealed-tokens.ts';
import { createKeys, randomIds } from '../../../lib/kit/ids.ts';
import { createPlatform } from '../../../lib/platforms/operator-commands.ts';
import { createNeon } from '../../local/neon.ts';
import { openDb } from '../../local/open-db.ts';
import { migratedDatabase } from '../../support/worlds/prepared.ts';

const neon = await createNeon({ snapshot: await migratedDatabase() });
afterAll(() => neon.close());

const deps = {
  db: openDb(neon),
  clock: { now: () => Date.UTC(2026, 0, 1) },
  ids: randomIds,
  keys: createKeys(randomIds, 'secret'),
  sealer: createSealer(`k1:${btoa('x'.repeat(32))}`),
};
const acme = { name: 'Acme', email: 'owner@acme.test', plan: 'starter' };

test('a new platform gets its keys once; only their hashes are kept', async () => {
  const made = await createPlatform(deps, {
    ...acme,
    redirectUris: ['https://acme.test/done', 'http://localhost:3000/'],
  });
  expect(made.secretKey).toMatch(/^sk_live_[\w-]{43}[0-9a-f]{10}$/);
  const rows = await neon.query('select hash, masked from api_keys where platform_id = $1', [made.id]);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(made.secretKey);
  expect(rows.map(({ masked }) => masked)).toContain(`sk_live_…${made.secretKey.slice(-4)}`);
});

test.each([
  ['a blank name', { name: ' ' }, 'name'],
  ['an address that is none', { email: 'owner' }, 'email'],
  ['an unknown plan', { plan: 'gold' }, 'plan'],
  ['plain HTTP to a host', { redirectUris: ['http://acme.test/done'] }, 'redirect_uris'],
  ['something that is no URI', { redirectUris: ['acme'] }, 'redirect_uris'],
  ['six redirect URIs', { redirectUris: Array(6).fill('https://acme.test/done') }, 'redirect_uris'],
  ['a webhook to a private address', { webhookUrl: 'https://10.0.0.1/hook' }, 'webhook_url'],
])('%s is refused by name', async (_name, wrong, field) => {
  await expect(createPlatform(deps, { ...acme, ...wrong })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { field },
  });
});
