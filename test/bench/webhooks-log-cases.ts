import { formatCursor, type Place } from '../../schema/api/paging.ts';
import type { World } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';

const DAY_MS = 86_400_000;
const LOGS = '/v1/platform/webhook/logs';
const COMMON = 'user.calendar.connected';
const RARE = 'platform.usage_limit_reached';

export interface LogPlatform {
  id: string;
  key: string;
}

/** Operation of the delivery log that is timed as a whole, and the SQL statements it sends. */
export interface Case {
  name: string;
  /** Number of repetitions. Each runs as the next platform, the biggest first. */
  times: number;
  /** True if the operation changes rows, which the bench then restores. */
  changes: boolean;
  run(platform: LogPlatform): Promise<void>;
}

/** Returns the operations of the log endpoints and of the sweep, as requests to the API. */
export function logCases(world: World): Case[] {
  const send = async ({ key }: LogPlatform, method: string, path: string, body?: unknown) => {
    const { status, text } = await createClient(world.baseUrl, key).send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  const read = (name: string, path: string | ((platform: LogPlatform) => Promise<string>)): Case => ({
    name,
    times: 100,
    changes: false,
    async run(platform) {
      await send(platform, 'GET', LOGS + (typeof path === 'string' ? path : await path(platform)));
    },
  });
  const replay = (name: string, days: number, status: object): Case => ({
    name,
    times: 20,
    changes: true,
    async run(platform) {
      const since = new Date(world.clock.now() - days * DAY_MS).toISOString();
      await send(platform, 'POST', '/v1/platform/webhook/replay', { since, ...status });
    },
  });
  const middle = places(world);
  return [
    read('newest', ''),
    read('200 a page', '?limit=200'),
    read('common event', `?event=${COMMON}`),
    read('rare event', `?event=${RARE}`),
    read('failed', '?status=failed'),
    read('rare event, failed', `?event=${RARE}&status=failed`),
    read('cursor halfway', async (platform) => `?cursor=${formatCursor(await middle(platform))}`),
    read('cursor halfway, failed', async (platform) => `?status=failed&cursor=${formatCursor(await middle(platform))}`),
    read('one with attempts', async (platform) => `/${(await middle(platform)).id}`),
    replay('replay failed of 1 day', 1, { status: 'failed' }),
    replay('replay failed of 30 days', 30, { status: 'failed' }),
    replay('replay all of 30 days', 30, {}),
    { name: 'sweep', times: 5, changes: true, run: () => world.worker.runScheduled(world.clock.now()) },
  ];
}

/** Finds the delivery in the middle of each platform's log. */
function places(world: World) {
  const known = new Map<string, Place>();
  return async ({ id: platformId }: LogPlatform) => {
    const found = known.get(platformId) ?? (await middleOf(world, platformId));
    known.set(platformId, found);
    return found;
  };
}

async function middleOf(world: World, platformId: string) {
  const [row] = await world.neon.query(
    `select id, (extract(epoch from created_at) * 1000)::float8 as at from deliveries
     where platform_id = $1 and status <> 'pending' order by created_at
     offset (select count(*) / 2 from deliveries where platform_id = $1) limit 1`,
    [platformId],
  );
  return { id: String(row?.id), at: Number(row?.at) };
}
