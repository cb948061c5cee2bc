import { selectUserKey } from '../../schema/api-keys/masked-queries.ts';
import { listUserConnections } from '../../schema/connections/list-queries.ts';
import { batch } from '../../schema/db.ts';
import { selectUser } from '../../schema/users/find-queries.ts';
import { myCalendars } from '../calendars/blocking/choose.ts';
import type { Ctx } from '../kit/context.ts';
import { waitsUntil } from '../kit/key-regeneration.ts';

/**
 * Returns everything that a person's own page shows, including the provider's current list of their calendars.
 * `newKeyAt` is the time from which the person can replace their API key again, undefined if they can do so now.
 * Returns undefined if the ID belongs to no user.
 */
export async function myPage(ctx: Ctx, userId: string) {
  const held = await readHeld(ctx, userId);
  if (held?.user.status !== 'connected') return held && toPage(ctx, held);
  const { status, ...reader } = held.user;
  await ctx.admitted;
  const calendars = await myCalendars(ctx, { status, ...reader });
  if (calendars !== undefined) return { ...toPage(ctx, held), calendars };
  // The provider has just rejected the grant, which may have changed the status and the connections.
  const now = await readHeld(ctx, userId);
  return now && toPage(ctx, now);
}

/**
 * Returns a person's address, and the platform with this ID if it has access to the person's calendar. Returns
 * undefined if the ID belongs to no user.
 */
export async function myPlatform(ctx: Ctx, { userId, platformId }: { userId: string; platformId: string }) {
  const held = await readHeld(ctx, userId);
  if (held === undefined) return undefined;
  const { email, platforms } = toPage(ctx, held);
  return { email, platform: platforms.find((one) => one.platformId === platformId) };
}

/** Returns the signed-in person's address, or undefined if the ID belongs to no user. */
export async function whoAmI(ctx: Ctx, userId: string): Promise<{ email: string } | undefined> {
  const [user] = await selectUser(ctx.db, userId);
  return user && { email: user.email };
}

async function readHeld(ctx: Ctx, userId: string) {
  const { users, keys, connections } = await batch(ctx.db, {
    users: selectUser(ctx.db, userId),
    keys: selectUserKey(ctx.db, userId),
    connections: listUserConnections(ctx.db, { userId }),
  });
  const [user] = users;
  return user && { user, key: keys[0], connections };
}

const toPage = (ctx: Ctx, { user, key, connections }: NonNullable<Awaited<ReturnType<typeof readHeld>>>) => ({
  email: user.email,
  status: user.status ?? ('disconnected' as const),
  platforms: connections.filter(({ disconnectedAt }) => disconnectedAt === null),
  calendars: undefined,
  maskedKey: key?.masked ?? undefined,
  newKeyAt: waitsUntil(ctx, key?.replacedAt ?? null),
});
