import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import { faultsOf, leakInLog } from '../support/fuzz/judge.ts';
import { type Fuzzed, REQUEST_ID, requestsFor, spoiltFor } from '../support/fuzz/requests.ts';
import { sendWire } from '../support/fuzz/send.ts';
import { freshStock, type Target, targets } from '../support/fuzz/stock.ts';
import { world } from '../support/worlds/world.ts';

const { FUZZ_SEED = '20261121', FUZZ_RUNS = '50' } = process.env;
const seed = Number(FUZZ_SEED);
const numRuns = Number(FUZZ_RUNS);
/** Half of one user's rate limit, because the limit counts over a sliding minute. */
const USER_REQUESTS_A_MINUTE = 30;

/** Log lines that need no check: those of other test files and of operations that were already judged. */
const read = new Set(world.logs());
const stock = await freshStock();

const shown = ({ kind, about, method, target, headers, body }: Fuzzed) =>
  `${kind} (${about}): ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.toString().slice(0, 1_500) ?? ''}`;

/**
 * Returns true for the operation that deletes the user: a deleted user has no key for a second request.
 * `own-user-data.test.ts` tests what happens to the user's data.
 */
const lastsOnce = ({ operation }: Target) => operation.operationId === 'deleteUser';

describe.each(
  targets()
    .filter((one) => !lastsOnce(one))
    .toSorted(byHarm),
)('$name', (target) => {
  test('keeps the contract whatever it is sent', async () => {
    let [sent, taken] = [0, 0];
    async function judge(request: Fuzzed): Promise<void> {
      if (sent++ % USER_REQUESTS_A_MINUTE === 0 && target.key === 'user') await world.advance(MINUTE + 1_000);
      const answer = await sendWire(request);
      if (answer.status < 400) taken += 1;
      const faults = [...faultsOf(target, request, answer)];
      if (faults.length > 0) throw new Error(`${faults.join('; ')}\n${shown(request)}`);
    }
    for (const request of spoiltFor(target, stock, seed)) await judge(request);
    const judged = fc.asyncProperty(requestsFor(target, stock), judge);
    await fc.assert(judged, { seed, numRuns });
    expect(taken, 'requests that were taken').toBeGreaterThan(0);
    expect(unreadLines().filter(isAlarming)).toEqual([]);
  });
});

function unreadLines(): string[] {
  const lines = world.logs().filter((line) => !read.has(line));
  for (const line of lines) read.add(line);
  return lines;
}

/** Returns true for a line that shows a secret, or reports the failure of one of our requests. */
const isAlarming = (line: string) =>
  leakInLog(line) !== undefined || (line.includes(`"request_id":"${REQUEST_ID}`) && line.includes('"level":"error"'));

/** Sorts the operations so that those that harm the others' data run last. */
function byHarm(one: Target, other: Target): number {
  const harm = ({ operation }: Target) => {
    if (operation.operationId === 'updatePreferences') return -1;
    return ['configureWebhook', 'updateSettings', 'disconnectCalendar'].includes(operation.operationId) ? 1 : 0;
  };
  return harm(one) - harm(other);
}

test('jobs that were accepted end as the document says', async () => {
  await world.qstash.deliverDue();
  const jobs = await world.neon.query('select id, status from jobs where platform_id = $1', [stock.platform.id]);
  const [target] = targets().filter(({ operation }) => operation.operationId === 'getJob');
  if (target === undefined) throw new Error('the document has no getJob');
  const faults: string[] = [];
  for (const { id } of jobs) {
    const headers = { Authorization: `Bearer ${stock.platform.secret_key}`, 'X-Request-Id': `${REQUEST_ID}job` };
    const request = {
      kind: 'fitting',
      about: 'as accepted',
      method: 'GET',
      target: `/v1/jobs/${id}`,
      headers,
      query: [],
    };
    faults.push(...faultsOf(target, request, await sendWire(request)));
  }
  expect(jobs.length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});
