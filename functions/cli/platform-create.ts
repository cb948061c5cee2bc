import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { createKeys, randomIds } from '../../lib/kit/ids.ts';
import { createPlatform } from '../../lib/platforms/operator-commands.ts';
import { end, readEnv, readFlags, refuse, runCommand } from './command.ts';
import { withDatabase } from './database.ts';

const USAGE =
  'npm run platform:create -- --name "Acme" --email owner@acme.com --plan starter [--webhook-url https://acme.com/hook] [--redirect-uri https://acme.com/connected …]';

const TEXT = { type: 'string' } as const;

function readInput() {
  const redirects = { ...TEXT, multiple: true } as const;
  const flags = { name: TEXT, email: TEXT, plan: TEXT, 'webhook-url': TEXT, 'redirect-uri': redirects };
  const { values } = readFlags(USAGE, flags);
  const { name, email, plan, 'webhook-url': webhookUrl, 'redirect-uri': redirectUris } = values;
  if (name === undefined || email === undefined || plan === undefined)
    return end(refuse('--name, --email and --plan are needed.', USAGE));
  return { name, email, plan, webhookUrl, redirectUris };
}

async function main() {
  const input = readInput();
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

runCommand(main, 'The platform was not created:');
