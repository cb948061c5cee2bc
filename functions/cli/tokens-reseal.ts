import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { resealAll } from '../../lib/reseal.ts';
import { DatabaseTrouble, withDatabase } from './database.ts';
import { readEnv, UsageError } from './read-env.ts';

async function main() {
  const sealer = createSealer(readEnv('TOKEN_KEYS'));
  const { resealed, changed, unreadable } = await withDatabase(readEnv('DATABASE_URL'), (db) =>
    resealAll({ db, sealer }),
  );
  console.log(`Sealed anew under ${sealer.keyId}: ${resealed}.`);
  if (changed > 0)
    console.error(
      `Still being sealed under another key: ${changed}. Deploy the Worker with ${sealer.keyId} in front of TOKEN_KEYS, then run this again.`,
    );
  if (unreadable > 0)
    console.error(
      `Not opened by any key of TOKEN_KEYS: ${unreadable}. Add the key they are sealed under, then run this again.`,
    );
  if (changed > 0 || unreadable > 0) process.exitCode = 1;
  else console.log(`Everything is sealed under ${sealer.keyId}: the other keys can be taken out of TOKEN_KEYS.`);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError || error instanceof DatabaseTrouble) console.error(error.message);
  else console.error('Not everything was sealed anew:', error);
  process.exitCode = 1;
});
