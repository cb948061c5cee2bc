import { selectUserKey } from '../../schema/api-keys/queries.ts';
import { listUserConnections } from '../../schema/connections/queries.ts';
import { batch } from '../../schema/db.ts';
import { selectOwner } from '../../schema/users/queries.ts';
import { myCalendars } from '../calendars/blocking/choose.ts';
import type { Ctx } from '../context.ts';
import { waitsUntil } from '../key-regeneration.ts';

/**
 * What a person's own page shows, read at once, with the list of their calendars as the provider has it; undefined for an
 * id that is no user's. `newKeyAt` is set while they must wait.
 */
export async function myPage(ctx: Ctx, userId: string) {
  const held = await readHeld(ctx, userId);
  if (held?.owner.status !== 'connected') return held && toPage(ctx, held);
  const { status, ...reader } = held.owner;
  const calendars = await myCalendars(ctx, { status, ...reader });
  if (calendars !== undefined) return { ...toPage(ctx, held), calendars };
  // The grant has ended just now, and perhaps what goes with it.
  const now = await readHeld(ctx, userId);
  return now && toPage(ctx, now);
}

/** Whose page it is, and the platform of this id where it has access; undefined for an id that is no user's. */
export async function myPlatform(ctx: Ctx, { userId, platformId }: { userId: string; platformId: string }) {
  const held = await readHeld(ctx, userId);
  if (held === undefined) return undefined;
  const { email, platforms } = toPage(ctx, held);
  return { email, platform: platforms.find((one) => one.platformId === platformId) };
}

/** Who the signed-in person is; undefined for an id that is no user's. */
export async function whoAmI(ctx: Ctx, userId: string): Promise<{ email: string } | undefined> {
  const [owner] = await selectOwner(ctx.db, userId);
  return owner && { email: owner.email };
}

async function readHeld(ctx: Ctx, userId: string) {
  const { owners, keys, connections } = await batch(ctx.db, {
    owners: selectOwner(ctx.db, userId),
    keys: selectUserKey(ctx.db, userId),
    connections: listUserConnections(ctx.db, { userId }),
  });
  const [owner] = owners;
  return owner && { owner, key: keys[0], connections };
}

const toPage = (ctx: Ctx, { owner, key, connections }: NonNullable<Awaited<ReturnType<typeof readHeld>>>) => ({
  email: owner.email,
  status: owner.status ?? ('disconnected' as const),
  platforms: connections.filter(({ disconnectedAt }) => disconnectedAt === null),
  calendars: undefined,
  maskedKey: key?.masked ?? undefined,
  newKeyAt: waitsUntil(ctx, key?.replacedAt ?? null),
});
