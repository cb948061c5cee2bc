import type { World } from '../local/world.ts';

const MINUTE = 60_000;

export type Scene = Awaited<ReturnType<typeof platformWithPair>>;

/** Creates a platform without limits, with two people. */
export async function platformWithPair(world: World, name: string, webhookUrl?: string) {
  const platform = await world.platforms.create({
    name,
    plan: 'enterprise',
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  });
  const emails = ['ada', 'bob'].map((person) => `${person}.${name}@people.test`);
  for (const email of emails) {
    world.google.addUser({ email, timezone: 'UTC' });
    await world.connectCalendar(platform, email);
  }
  return { id: platform.id, key: platform.secret_key, emails };
}

/** Reserves bookings whose writers died before they reached the calendar. */
export async function reserveOverdue(world: World, { id, emails }: Scene, count: number, agoMs: number): Promise<void> {
  const now = world.clock.now();
  const since = new Date(now - agoMs).toISOString();
  const month = new Date(now).toISOString().slice(0, 7);
  const prefix = `meet_${id.slice(5, 13)}${Date.now()}x`;
  const start = new Date(now + 48 * 60 * MINUTE).toISOString();
  const statements: [string, unknown[]][] = [
    [
      `insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, $3, 0, null)
      on conflict (platform_id, month) do update set used = usage.used + $3::int`,
      [id, month, count],
    ],
    [
      `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id,
        exclusive, usage_month, owner, lease_until, created_at, updated_at)
      select $1 || n, $2, (select id from users where email = $3), 'pending', 'Overdue', 'Google Meet',
        $4::timestamptz + n * interval '1 minute', $4::timestamptz + n * interval '1 minute' + interval '30 minutes',
        md5($1 || n), false, $5, 'own_dead', $6::timestamptz + n * interval '1 ms', $6, $6
      from generate_series(1, $7::int) n`,
      [prefix, id, emails[0], start, month, since, count],
    ],
    [
      `insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position)
      select m.id, m.platform_id, m.starts_at, u.id, u.email, case when u.email = $2 then 0 else 1 end
      from meetings m, users u where m.id like $1 || '%' and u.email in ($2, $3)`,
      [prefix, ...emails],
    ],
    [
      `insert into holds (meeting_id, user_id, event_id, during, exclusive, conflicts)
      select m.id, p.user_id, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, 0
      from meetings m join meeting_people p on p.meeting_id = m.id where m.id like $1 || '%'`,
      [prefix],
    ],
    [
      `insert into pending_operations (event_id, platform_id, kind, intent, due_at, created_at)
      select provider_event_id, platform_id, 'book', '{"kind":"book"}', lease_until, created_at from meetings where id like $1 || '%'`,
      [prefix],
    ],
  ];
  for (const [text, values] of statements) await world.neon.query(text, values);
}

export async function unfinishedOf(world: World, { id }: Scene): Promise<number> {
  const [row] = await world.neon.query(
    "select count(*)::int as left from meetings where platform_id = $1 and status = 'pending'",
    [id],
  );
  return Number(row?.left);
}
