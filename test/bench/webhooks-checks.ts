import { verifyWebhook } from '../../lib/webhooks/verify.ts';
import type { World } from '../local/world.ts';
import type { Run } from './webhooks-load.ts';
import type { Receiver } from './webhooks-receivers.ts';

const MOST_ATTEMPTS = 3;

interface DeliveryCheck {
  id: string;
  status: string;
  attempts: number;
  rows: number;
  last: number | null;
  overlapping: number;
  early: number;
}

/**
 * SQL for the facts of each delivery: its attempts, those that began before the previous one ended, and those before
 * their due time.
 */
const DELIVERIES = `
  select d.id, d.status, d.attempts, count(a.number)::int as rows, max(a.number)::int as last,
    count(*) filter (where a.started_at < a.former_end)::int as overlapping,
    count(*) filter (where a.started_at < a.former_end + make_interval(secs => case a.number when 2 then 1 else 10 end))::int
      as early
  from deliveries d left join (
    select *, lag(started_at + make_interval(secs => duration_ms / 1000.0)) over (partition by delivery_id order by number)
      as former_end
    from delivery_attempts) a on a.delivery_id = d.id
  group by d.id`;

/**
 * Finds everything that went wrong in a run. Returns one line with a count for each kind of fault, and an empty list if
 * there is none.
 */
export async function findWrongs(world: World, run: Run, receivers: Receiver[]): Promise<string[]> {
  const rows = (await world.neon.query(DELIVERIES)) as unknown as DeliveryCheck[];
  const known = new Map(rows.map((row) => [row.id, row]));
  const ofKind = (dead: boolean) => run.emitted.filter(({ receiver }) => (receiver.kind === 'dead') === dead);
  const rowOf = (id: string) => known.get(id);
  const wrong: [string, number][] = [
    ['still pending', run.stillPending],
    ['without a row', run.emitted.filter(({ deliveryId }) => !known.has(deliveryId)).length],
    ['never received', ofKind(false).filter(({ deliveryId }) => !run.receipts.has(deliveryId)).length],
    ['not ended well', ofKind(false).filter(({ deliveryId }) => rowOf(deliveryId)?.status !== 'success').length],
    [
      'to dead platforms not ended as failed after 3 attempts',
      ofKind(true).filter(({ deliveryId }) => {
        const row = rowOf(deliveryId);
        return row?.status !== 'failed' || row.rows !== MOST_ATTEMPTS;
      }).length,
    ],
    ['with more than 3 attempts', rows.filter((row) => row.rows > MOST_ATTEMPTS).length],
    [
      'with attempts miscounted',
      rows.filter((row) => row.attempts !== row.rows || (row.last ?? 0) !== row.rows).length,
    ],
    ['received more often than 3 times', [...run.receipts.values()].filter((all) => all.length > MOST_ATTEMPTS).length],
    ['with overlapping attempts by the rows', rows.filter(({ overlapping }) => overlapping > 0).length],
    ['with overlapping requests at the endpoint', overlapsSeen(run)],
    ['attempted again before their time', rows.filter(({ early }) => early > 0).length],
    ['received with a wrong signature', await badSignatures(world, receivers)],
  ];
  return wrong.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
}

function overlapsSeen({ receipts }: Run): number {
  return [...receipts.values()].filter((all) => all.some(({ from }, i) => from < (all[i - 1]?.to ?? 0))).length;
}

async function badSignatures(world: World, receivers: Receiver[]): Promise<number> {
  const secrets = new Map(receivers.map(({ host, secret }) => [host, secret]));
  const verdicts = await Promise.all(
    world.inbox.deliveries().map(async ({ url, headers, body_text, received_at }) => {
      const secret = secrets.get(new URL(url).hostname) ?? 'unknown';
      return verifyWebhook({ secret, headers, body: body_text, now: Date.parse(received_at), toleranceSeconds: 5 });
    }),
  );
  return verdicts.filter(({ ok }) => !ok).length;
}

/** Counts the requests that the platforms' endpoints received, including those they reset. */
export const requestsMade = (world: World): number =>
  world.inbox.deliveries().length + world.faults.list().reduce((sum, { hits }) => sum + hits, 0);

/** Counts the attempts that the product recorded. */
export async function attemptsWritten(world: World): Promise<number> {
  const [row] = await world.neon.query('select count(*)::int as n from delivery_attempts');
  return Number(row?.n);
}
