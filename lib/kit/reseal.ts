import type { Db } from '../../schema/db.ts';
import { listFormerSecrets, replaceFormerSecrets, SEALED, type SealedRow } from '../../schema/upkeep/sealed.ts';
import type { SealedPlace, Sealer } from './ports.ts';

/** Nobody can decrypt a text for another place than that for which Tandem encrypted it. */
const placeIn =
  (column: SealedPlace['column']) =>
  (row: string): SealedPlace => ({ column, row });

/** A row is a user's. */
export const refreshTokenPlace = placeIn('calendar_accounts.refresh_token');
export const accessTokenPlace = placeIn('calendar_accounts.access_token');
export const calendarsPlace = placeIn('calendar_accounts.calendars');
/** A row is a platform's. Its previous secrets are bound to the same place. */
export const webhookSecretPlace = placeIn('webhook_endpoints.secret');
export const proposalTokenPlace = placeIn('proposals.token');
export const answerPlace = placeIn('delivery_attempts.answer');

type Tools = { db: Db; sealer: Sealer };

/** `changed` counts texts that another process changed meanwhile, and `unreadable` those that no known key decrypts. */
export type Resealed = { resealed: number; changed: number; unreadable: number };

const AT_ONCE = 100;
const MOST_PASSES = 5;

/**
 * Encrypts every text again under the current key, so that an older key can be removed. May run beside a Worker with
 * the same keys, because it replaces only texts that have not changed since it read them. It passes up to five times
 * until none changed meanwhile. `changed` counts those of the last pass. After an interruption, run it again.
 */
export async function resealAll(tools: Tools): Promise<Resealed> {
  let resealed = 0;
  for (let left = MOST_PASSES; ; left--) {
    const pass = await passOver(tools);
    resealed += pass.resealed;
    if (pass.changed === 0 || left === 1) return { ...pass, resealed };
  }
}

async function passOver({ db, sealer }: Tools): Promise<Resealed> {
  const done: Resealed = { resealed: 0, changed: 0, unreadable: 0 };
  const { keyId } = sealer;

  async function put(reseal: () => Promise<(() => Promise<boolean>) | undefined>): Promise<void> {
    const replace = await reseal().catch(() => undefined);
    if (replace === undefined) done.unreadable += 1;
    else if (await replace()) done.resealed += 1;
    else done.changed += 1;
  }
  const anew = async (sealed: string, place: SealedPlace) => sealer.seal(await sealer.open(sealed, place), place);

  for (const { place: column, list, replace } of SEALED)
    await pages(
      (after) => list(db, { keyId, after, limit: AT_ONCE }),
      ({ key }) => key,
      (row: SealedRow) =>
        put(async () => {
          const by = await anew(row.sealed, { column, row: row.sealedFor });
          return () => replace(db, row, by);
        }),
    );
  await pages(
    (after) => listFormerSecrets(db, { keyId, after, limit: AT_ONCE }),
    ({ platformId }) => platformId,
    ({ platformId, secrets: from }) =>
      put(async () => {
        const place = webhookSecretPlace(platformId);
        const to = await Promise.all(
          from.map(async (former) => ({ ...former, secret: await anew(former.secret, place) })),
        );
        return () => replaceFormerSecrets(db, { platformId, from, to });
      }),
  );
  return done;
}

async function pages<Row>(
  list: (after: string) => PromiseLike<Row[]>,
  keyOf: (row: Row) => string,
  each: (row: Row) => Promise<void>,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await list(after);
    for (const row of rows) await each(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = keyOf(last);
  }
}
