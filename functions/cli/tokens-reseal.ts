import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { resealAll } from '../../lib/kit/reseal.ts';
import { DatabaseTrouble, withDatabase } from './database.ts';
import { readEnv, UsageError } from './read-env.ts';

async function main() {
  const sealer = createSealer(readEnv('TOKEN_KEYS'));
  const { resealed, changed, unreadable } = await withDatabase(readEnv('DATABASE_URL'), (db) =>
    resealAll({ db, sealer }),
  );
  console.log(`Resealed under ${sealer.keyId}: ${resealed}.`);
  if (changed > 0)
    console.error(
      `Sealed under another key meanwhile: ${changed}. Deploy the Worker with ${sealer.keyId} first in TOKEN_KEYS, then run this again.`,
    );
  if (unreadable > 0)
    console.error(
      `Unreadable with the keys in TOKEN_KEYS: ${unreadable}. Add the key they are sealed under, then run this again.`,
    );
  if (changed > 0 || unreadable > 0) process.exitCode = 1;
  else console.log(`Everything is sealed under ${sealer.keyId}. You can remove the other keys from TOKEN_KEYS.`);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError || error instanceof DatabaseTrouble) console.error(error.message);
  else console.error('Resealing stopped before the end:', error);
  process.exitCode = 1;
});
