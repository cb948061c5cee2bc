import { planLimitsOf } from '../../../lib/kit/plans.ts';
import type { TestPlatform } from '../people/factories.ts';
import { changedPairs } from './events.ts';
import { type MeetingRow, meetingsOf, rows, wasMade } from './rows.ts';

interface UsageRow {
  platform_id: string;
  plan: string;
  month: string;
  used: number;
  confirmed: number;
}

/**
 * Checks that quota used = confirmed = meetings made (plus `usedBefore`) and pairs changed, within the limit. The
 * platform must be told once of each threshold it crosses.
 */
export async function usageViolations(platforms: TestPlatform[], usedBefore = 0): Promise<string[]> {
  const usage = await rows<UsageRow>(
    `select u.platform_id, p.plan, u.month, u.used, u.confirmed from usage u join platforms p on p.id = u.platform_id
    where u.platform_id = any($1)`,
    platforms,
  );
  const made = (await meetingsOf(platforms)).filter(wasMade);
  const told = await rows<{ platform_id: string; event_type: string; month: string; times: number }>(
    `select platform_id, event_type, to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as times
    from deliveries where platform_id = any($1) and event_type like 'platform.usage%' and replay_of is null
    group by 1, 2, 3`,
    platforms,
  );
  const pairs = await changedPairs(platforms);
  const found = usage.flatMap(({ platform_id, plan, month, used, confirmed }) => {
    const isCounted = (one: Pick<MeetingRow, 'platform_id' | 'usage_month'>) =>
      one.platform_id === platform_id && one.usage_month === month;
    const count = made.filter(isCounted).length + pairs.filter(isCounted).length;
    const base = count + (month === firstMonth(usage, platform_id) ? usedBefore : 0);
    const limit = planLimitsOf(plan).meetingsPerMonth;
    const name = `${platform_id} in ${month}`;
    const crossed = (type: string, line: number) => {
      const times = told.find(
        (t) => t.platform_id === platform_id && t.event_type === type && t.month === month,
      )?.times;
      const due = confirmed >= line && confirmed - count < line ? 1 : 0;
      return (times ?? 0) === due ? [] : [`${name} told ${type} ${times ?? 0} times at ${confirmed} of ${limit}`];
    };
    return [
      ...(used === confirmed ? [] : [`${name} has used ${used} and confirmed ${confirmed}`]),
      ...(used === base ? [] : [`${name} has used ${used} and made ${base}`]),
      ...(limit === null || used <= limit ? [] : [`${name} has used ${used} of ${limit}`]),
      ...(limit === null
        ? []
        : [
            ...crossed('platform.usage_warning', Math.ceil(limit * 0.8)),
            ...crossed('platform.usage_limit_reached', limit),
          ]),
    ];
  });
  const counted = new Set(usage.map(({ platform_id, month }) => `${platform_id} ${month}`));
  const uncounted = made.filter((m) => m.usage_month !== null && !counted.has(`${m.platform_id} ${m.usage_month}`));
  return [...found, ...uncounted.map(({ id }) => `meeting ${id} was never counted`)];
}

const firstMonth = (usage: UsageRow[], platformId: string) =>
  usage
    .filter(({ platform_id }) => platform_id === platformId)
    .map(({ month }) => month)
    .sort()[0];
