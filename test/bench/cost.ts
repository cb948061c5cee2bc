import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Measured } from './week-played.ts';

// Prints what a service of so many people uses a day, and what it costs a month, as the tables of functions/OPERATING.md:
//
//   npm run bench -- cost
//   npm run bench -- cost --google 0.01     with this price in dollars for 1,000 calls above Google's daily allowance
//
// The figures per person and day are those that "npm run bench -- week --save" measured last.

const SIZES = [1_000, 10_000, 40_000, 100_000];
const DAYS = 30;
/** Calls of the Calendar API a day that Google's Standard Tier allows a project. */
const QUOTA = 1_000_000;
const TICKS = 24 * 60;
/** Calendars that one queue message asks to read. */
const PER_MESSAGE = 20;
/** Redis commands of one search (functions/OPERATING.md), and of one call of Google, whose count is written for 25 calls. */
const COMMANDS = { search: 5, google: 2 / 25 };
/** Milliseconds of CPU of a Worker's request, and of Postgres for one request ("npm run bench -- load"). */
const CPU_MS = { worker: 5, postgres: 2 };
/** How much busier the busiest hours are than the day. */
const PEAK = 4;

/** Prices in dollars, each with the page that has it (November 2026). */
const PRICES = {
  /** upstash.com/pricing/redis, pay as you go */
  redis: 0.2 / 100_000,
  /** upstash.com/pricing/qstash, pay as you go */
  qstash: 1 / 100_000,
  /** developers.cloudflare.com/workers/platform/pricing, Workers Paid */
  workers: { month: 5, requests: 0.3 / 1e6, freeRequests: 10e6, cpuMs: 0.02 / 1e6, freeCpuMs: 30e6 },
  /** neon.com/docs/introduction/plans, Launch: a compute unit for an hour */
  neon: { hour: 0.106, smallest: 0.25 },
};

const { values } = parseArgs({ options: { google: { type: 'string' } } });
const measured: Measured[] = JSON.parse(await readFile(new URL('week-measured.json', import.meta.url), 'utf8'));

const average = (of: (one: Measured) => number) => measured.reduce((sum, one) => sum + one.share * of(one), 0);

function usedBy(people: number) {
  const google = people * average((one) => one.google);
  const searches = people * average((one) => one.searches);
  const swept = people * average((one) => one.swept);
  // Each tick with work sends at least one message.
  const messages = Math.max(Math.min(swept, TICKS), swept / PER_MESSAGE);
  return {
    google,
    // Of a search, the bench leaves out the statement that checks the API key.
    postgres: TICKS + people * average((one) => one.postgres) + searches,
    redis: TICKS + searches * COMMANDS.search + google * COMMANDS.google,
    messages,
    workers: TICKS + messages + searches + people * average((one) => one.pushes),
  };
}

/** Returns the dollars of a month for each party. Google's are undefined if there are any and the price is not given. */
function costOf({ google, postgres, redis, messages, workers }: ReturnType<typeof usedBy>) {
  const above = (used: number, free: number) => Math.max(0, DAYS * used - free);
  const { workers: worker, neon } = PRICES;
  const busy = (postgres * CPU_MS.postgres * PEAK) / (24 * 3_600_000);
  const units = neon.smallest * Math.ceil(Math.max(busy, neon.smallest) / neon.smallest);
  const billed = DAYS * Math.max(0, google - QUOTA);
  return {
    google: billed === 0 ? 0 : values.google === undefined ? undefined : (billed / 1_000) * Number(values.google),
    postgres: DAYS * 24 * units * neon.hour,
    redis: DAYS * redis * PRICES.redis,
    messages: DAYS * messages * PRICES.qstash,
    workers:
      worker.month +
      above(workers, worker.freeRequests) * worker.requests +
      above(workers * CPU_MS.worker, worker.freeCpuMs) * worker.cpuMs,
  };
}

const thousands = (value: number) => Math.round(value).toLocaleString('en-US');
const dollars = (value: number) => `$${value.toFixed(2)}`;

function print(rows: string[][]): void {
  const [head = [], ...others] = rows;
  for (const row of [head, head.map(() => '---'), ...others]) process.stdout.write(`| ${row.join(' | ')} |\n`);
  process.stdout.write('\n');
}

const sizes = SIZES.map((people) => ({ people, used: usedBy(people) }));
print([
  [
    'people',
    'Google calls, of the quota',
    'Postgres requests',
    'Redis commands',
    'QStash messages',
    'Workers requests',
  ],
  ...sizes.map(({ people, used: { google, postgres, redis, messages, workers } }) => [
    thousands(people),
    `${thousands(google)} (${((100 * google) / QUOTA).toFixed(1)} %)`,
    ...[postgres, redis, messages, workers].map(thousands),
  ]),
]);
print([
  ['people', 'Google', 'Neon', 'Redis', 'QStash', 'Workers', 'sum'],
  ...sizes.map(({ people, used }) => {
    const { google, postgres, redis, messages, workers } = costOf(used);
    const sum = (google ?? 0) + postgres + redis + messages + workers;
    const calls = google === undefined ? `${thousands(DAYS * (used.google - QUOTA))} calls` : dollars(google);
    return [
      thousands(people),
      calls,
      ...[postgres, redis, messages, workers].map(dollars),
      google === undefined ? `${dollars(sum)} and Google` : dollars(sum),
    ];
  }),
]);
const largest = (QUOTA * 0.8) / average((one) => one.google);
process.stdout.write(`Four fifths of the daily quota are used by ${thousands(largest)} people.\n`);
