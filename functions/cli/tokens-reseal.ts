import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { resealAll } from '../../lib/kit/reseal.ts';
import { readEnv, readFlags, runCommand } from './command.ts';
import { withDatabase } from './database.ts';

async function main() {
  readFlags('npm run tokens:reseal encrypts every stored secret with the first key of TOKEN_KEYS.');
  const sealer = createSealer(readEnv('TOKEN_KEYS'));
  const { resealed, changed, unreadable } = await withDatabase(readEnv('DATABASE_URL'), (db) =>
    resealAll({ db, sealer }),
  );
  console.log(`Secrets newly encrypted with the key ${sealer.keyId}: ${resealed}.`);
  if (changed > 0)
    console.error(
      `Secrets that the Worker encrypted with another key meanwhile: ${changed}. Deploy the Worker with ${sealer.keyId} first in TOKEN_KEYS, then run this command again.`,
    );
  if (unreadable > 0)
    console.error(
      `Secrets that no key in TOKEN_KEYS can decrypt: ${unreadable}. Add the key with which they were encrypted to TOKEN_KEYS, then run this command again.`,
    );
  if (changed > 0 || unreadable > 0) process.exitCode = 1;
  else
    console.log(
      `All secrets are encrypted with the key ${sealer.keyId}. You can remove the other keys from TOKEN_KEYS.`,
    );
}

runCommand(main, 'The command stopped before all secrets were encrypted again. Run it again:');
