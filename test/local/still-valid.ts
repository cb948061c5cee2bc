import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import type { Stack } from './kept.ts';
import { isLive } from './people.ts';
import type { World } from './world.ts';

/**
 * Returns what an earlier start printed, as far as it still holds: addresses are those of this start, and a key that was
 * replaced since is null. The webhook secret is the current one, because the product can read it.
 */
export async function currentStack(world: World, { platform, users, cases }: Stack): Promise<Stack> {
  const valid = async (key: string | null) => (key !== null && (await isLive(world.neon, key)) ? key : null);
  const [secret_key, publishable_key, webhook_secret, ...keys] = await Promise.all([
    valid(platform.secret_key),
    valid(platform.publishable_key),
    webhookSecretOf(world, platform.id),
    ...users.map(({ api_key }) => valid(api_key)),
  ]);
  return {
    base_url: world.baseUrl,
    world_url: world.worldUrl,
    platform: { id: platform.id, secret_key, publishable_key, webhook_secret },
    users: users.map(({ email, timezone }, at) => ({ email, timezone, api_key: keys[at] ?? null })),
    cases,
  };
}

async function webhookSecretOf({ neon, secrets }: World, platformId: string): Promise<string | null> {
  const [row] = await neon.query('select secret from webhook_endpoints where platform_id = $1', [platformId]);
  if (row === undefined) return null;
  const place = { column: 'webhook_endpoints.secret', row: platformId } as const;
  return createSealer(secrets.TOKEN_KEYS).open(String(row.secret), place);
}
