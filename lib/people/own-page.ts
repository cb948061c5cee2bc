import { listAgents, selectUserKey } from '../../schema/access/api-keys.ts';
import { listUserConnections } from '../../schema/access/connections.ts';
import { findPreferences, findUserStatus, selectHabits, selectUser } from '../../schema/access/users.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import { batch } from '../../schema/db.ts';
import { sumMonths } from '../../schema/meetings/meeting-months.ts';
import { listHeldTimes } from '../../schema/meetings/proposals-list.ts';
import { myCalendars } from '../calendars/choose.ts';
import { holidaysIn } from '../engine/rules/holiday-table.ts';
import { formatDate } from '../engine/time/dates.ts';
import { knownZone, localDate } from '../engine/time/zone.ts';
import type { Ctx } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';
import { waitsUntil } from '../kit/key-regeneration.ts';
import { sayRule } from '../learning/ledger.ts';
import { heldTimesOf } from '../meetings/index.ts';
import { wholePreferences } from '../person/person.ts';
import { monthsAt, statisticsOf } from '../usage/usage.ts';

/** `newKeyAt` is undefined if the key may be replaced now. Undefined if the ID belongs to no user. */
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

/** Has the platform if it can access the person's calendar. Returns undefined if the ID belongs to no user. */
export async function myPlatform(ctx: Ctx, { userId, platformId }: { userId: string; platformId: string }) {
  const held = await readHeld(ctx, userId);
  if (held === undefined) return undefined;
  const { email, platforms } = toPage(ctx, held);
  return { email, platform: platforms.find((one) => one.platformId === platformId) };
}

export async function whoAmI(ctx: Ctx, userId: string): Promise<{ email: string } | undefined> {
  const [user] = await selectUser(ctx.db, userId);
  return user && { email: user.email };
}

async function readHeld(ctx: Ctx, userId: string) {
  const { users, keys, agents, connections, habits, held } = await batch(ctx.db, {
    users: selectUser(ctx.db, userId),
    keys: selectUserKey(ctx.db, userId),
    agents: listAgents(ctx.db, { userId, now: ctx.clock.now() }),
    held: listHeldTimes(ctx.db, { userId, now: ctx.clock.now() }),
    connections: listUserConnections(ctx.db, { userId }),
    habits: selectHabits(ctx.db, userId),
  });
  const [[user], [own]] = [users, habits];
  return user && own && { user, key: keys[0], agents, connections, own, held: heldTimesOf(userId, held) };
}

const toPage = (
  ctx: Ctx,
  { user, key, agents, connections, own, held }: NonNullable<Awaited<ReturnType<typeof readHeld>>>,
) => ({
  email: user.email,
  status: user.status ?? ('disconnected' as const),
  platforms: connections.filter(({ disconnectedAt }) => disconnectedAt === null),
  calendars: undefined,
  agents,
  holds: held,
  timeZone: knownZone(wholePreferences(own).timeZone) ?? 'UTC',
  keys: key?.masked == null || key.createdAt === null ? [] : [{ masked: key.masked, createdAt: key.createdAt }],
  newKeyAt: waitsUntil(ctx, key?.replacedAt ?? null),
  habits: habitsOf(ctx, own),
});

const HOLIDAYS_SHOWN = 3;

export type MyHabits = ReturnType<typeof habitsOf>;

function habitsOf(ctx: Ctx, own: NonNullable<Awaited<ReturnType<typeof readHeld>>>['own']) {
  const { timeZone, holidays: place } = wholePreferences(own);
  const today = localDate(knownZone(timeZone) ?? 'UTC', ctx.clock.now());
  const next = [...holidaysIn(place)]
    .map(([day, name]) => ({ date: formatDate(day), name }))
    .filter(({ date }) => date >= today)
    .slice(0, HOLIDAYS_SHOWN);
  return { rules: own.rules.map(sayRule), holidays: { place, next } };
}

/** Returns a user with their preferences and meeting statistics. Months are UTC months. */
export async function userInfo(ctx: Ctx, userId: string) {
  const [user, [months]] = await Promise.all([
    findPreferences(ctx.db, userId),
    sumMonths(ctx.db, monthsAt(userId, ctx.clock.now())),
  ]);
  if (user === undefined || months === undefined) throw userGone();
  return {
    email: user.email,
    preferences: wholePreferences(user),
    stats: statisticsOf(months),
    onboardingCompleted: user.onboardingCompleted,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}

/** An unknown person counts as not connected. */
export async function userStatus(ctx: Ctx, input: { platformId: string; email: string }) {
  const email = input.email.toLowerCase();
  const found = await findUserStatus(ctx.db, { platformId: input.platformId, email });
  const isConnected = found?.accountStatus === 'connected' && found.disconnectedAt === null;
  const lastSyncAt = isConnected ? found.lastSyncAt : null;
  return {
    email,
    isConnected,
    lastSync: lastSyncAt === null ? null : new Date(lastSyncAt).toISOString(),
    provider: PROVIDER,
  };
}
