import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { AppError } from '../../lib/kit/errors.ts';
import { randomIds } from '../../lib/kit/ids.ts';
import { createKeys } from '../../lib/kit/keys.ts';
import { createPlatform } from '../../lib/platforms/create-platform.ts';
import { DatabaseTrouble, withDatabase } from './database.ts';
import { readEnv, UsageError } from './read-env.ts';

const USAGE =
  'npm run platform:create -- --name "Acme" --email owner@acme.com --plan starter [--webhook-url https://acme.com/hook] [--redirect-uri https://acme.com/connected …]';

function readOptions() {
  const options = { name: { type: 'string' }, email: { type: 'string' }, plan: { type: 'string' } } as const;
  try {
    const { values } = parseArgs({
      options: { ...options, 'webhook-url': { type: 'string' }, 'redirect-uri': { type: 'string', multiple: true } },
    });
    const { name, email, plan, 'webhook-url': webhookUrl, 'redirect-uri': redirectUris } = values;
    if (name !== undefined && email !== undefined && plan !== undefined)
      return { name, email, plan, webhookUrl, redirectUris };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
  throw new UsageError(USAGE);
}

async function main() {
  const input = readOptions();
  const deps = {
    clock: { now: () => Date.now() },
    ids: randomIds,
    keys: createKeys(randomIds, readEnv('KEY_CHECK_SECRET')),
    sealer: createSealer(readEnv('TOKEN_KEYS')),
  };
  const by = { actor: { kind: 'operator', id: userInfo().username }, requestId: `admin_${randomUUID()}` } as const;
  const made = await withDatabase(readEnv('DATABASE_URL'), (db) => createPlatform({ ...deps, db }, input, by));
  console.log(`Platform         ${made.id}`);
  console.log(`Secret key       ${made.secretKey}`);
  console.log(`Publishable key  ${made.publishableKey}`);
  if (made.webhookSecret !== null) console.log(`Webhook secret   ${made.webhookSecret}`);
  console.log('Save these keys and secrets now, because they are not shown again.');
}

main().catch((error: unknown) => {
  if (error instanceof UsageError || error instanceof AppError || error instanceof DatabaseTrouble)
    console.error(error.message);
  else console.error('The platform was not created:', error);
  process.exitCode = 1;
});
