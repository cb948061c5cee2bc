import type { TestPlatform } from '../people/factories.ts';
import { isLive, rows } from './rows.ts';

interface Part {
  user_id: string;
  platform_id: string;
  position: number;
  status: string;
  rescheduled_from: string | null;
  created_at: Date;
  day_parts: string[] | null;
  response_status: string | null;
  /** When the first meeting of the event was made. */
  made_at: Date;
  responded_at: Date | null;
}

const NAMES = ['made', 'rescheduled', 'cancelled', 'accepted', 'accepted_fast', 'accepted_ms'] as const;
const PARTS = ['morning', 'afternoon', 'evening'] as const;
const COUNTERS = [...NAMES, ...PARTS];
type Counters = Record<(typeof COUNTERS)[number], number>;
type Month = Counters & { party: string; month: string };

/** Checks that the counters of each month equal the sums of the meetings' rows, counted one by one. */
export async function statisticsViolations(platforms: TestPlatform[]): Promise<string[]> {
  const parties = new Set(platforms.map(({ id }) => id));
  const people = 'select user_id from connections where platform_id = any($1)';
  const erased = `select u.id from users u where u.ended_at is not null
    and not exists (select 1 from calendar_accounts a where a.user_id = u.id)`;
  for (const { user_id } of await rows<{ user_id: string }>(`${people} except ${erased}`, platforms))
    parties.add(user_id);
  const parts = await rows<Part>(
    `select p.user_id, m.platform_id, p.position, m.status, m.rescheduled_from, m.created_at, m.day_parts,
      a.response_status, a.responded_at,
      (select min(f.created_at) from meetings f where f.provider_event_id = m.provider_event_id) as made_at
    from meeting_people p join meetings m on m.id = p.meeting_id
    left join event_answers a on a.event_id = m.provider_event_id and a.user_id = p.user_id
    where m.status not in ('pending', 'failed') and (m.platform_id = any($1) or p.user_id in (${people}))`,
    platforms,
  );
  const due = new Map<string, Counters>();
  for (const part of parts) {
    add(due, part.user_id, part, true);
    if (part.position === 1) add(due, part.platform_id, part, false);
  }
  const months = await rows<Month>(
    `select * from meeting_months where party = any($1) or party in (${people}) or party in (${erased})`,
    platforms,
  );
  const kept = new Map(months.map((month) => [`${month.party} in ${month.month}`, month]));
  return [...new Set([...due.keys(), ...kept.keys()])].flatMap((name) => {
    const isKept = parties.has(name.split(' ')[0] ?? '');
    const [counted, is] = [isKept ? due.get(name) : undefined, kept.get(name)];
    const wrong = COUNTERS.filter((counter) => Number(is?.[counter] ?? 0) !== (counted?.[counter] ?? 0));
    return wrong.map(
      (counter) => `${name} counts ${is?.[counter] ?? 0} ${counter} where the meetings have ${counted?.[counter] ?? 0}`,
    );
  });
}

function add(due: Map<string, Counters>, party: string, part: Part, isPerson: boolean): void {
  const name = `${party} in ${part.created_at.toISOString().slice(0, 7)}`;
  const counters = due.get(name) ?? (Object.fromEntries(COUNTERS.map((counter) => [counter, 0])) as Counters);
  due.set(name, counters);
  const isFirst = part.rescheduled_from === null;
  if (isFirst) counters.made += 1;
  if (isFirst && part.status === 'rescheduled') counters.rescheduled += 1;
  if (part.status === 'cancelled') counters.cancelled += 1;
  if (
    part.position === 1 &&
    part.status !== 'rescheduled' &&
    part.response_status === 'accepted' &&
    part.responded_at !== null
  ) {
    const tookMs = Math.max(0, part.responded_at.getTime() - part.made_at.getTime());
    counters.accepted += 1;
    counters.accepted_ms += tookMs;
    if (tookMs <= 2 * 3_600_000) counters.accepted_fast += 1;
  }
  const dayPart = PARTS.find((one) => one === part.day_parts?.[part.position]);
  if (isPerson && isLive(part)) {
    if (dayPart === undefined) throw new Error(`a live meeting of ${party} has no part of the day`);
    counters[dayPart] += 1;
  }
}
