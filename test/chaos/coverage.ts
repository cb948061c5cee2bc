import type { Fault } from '../local/faults.ts';
import type { Target } from '../local/targets.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { google, neon, STEPS, type Step } from '../support/worlds/crash-points.ts';

/**
 * Operation of a client, a person or the product itself. The request ids of a client begin with the operation's name
 * and a hyphen.
 */
export type Operation = keyof typeof POINTS;

/** Cell of the coverage table: one way in which one call of one operation fails. */
export interface Cell {
  operation: Operation;
  point: string;
  mode: string;
  fault: Fault;
}

const FRONT: Record<string, Step> = { caller: neon('from "api_keys"'), rate: { target: 'redis', body_match: 'rate' } };
const PAGE: Record<string, Step> = { rate: { target: 'redis', body_match: 'rate' }, page: neon('token_hash') };
const KEPT: Record<string, Step> = { answer: { target: 'redis', body_match: 'answer:' } };
const PUBLISH: Record<string, Step> = { publish: { target: 'qstash' } };

/** Calls of the runs of a batch that are not those of a booking. */
const ROUND: Record<string, Step> = {
  lease: neon('update "batches" set "attempts"'),
  search: neon('set times = r.times'),
  plan: neon("set state = 'placed'"),
  release: neon('update "batches" set "attempts"', '"lease_until"', 'case when'),
  end: neon('update "batches" set "status"', '"ended_at"'),
};

/** Calls that each operation makes, with the requests they are made for where the requests can be told apart. */
const POINTS = {
  book: { ...FRONT, ...STEPS['schedule with a key'], ...KEPT, ...PUBLISH },
  bookfree: { ...FRONT, ...STEPS['schedule, only if free'], ...KEPT },
  auto: { ...FRONT, ...STEPS['auto with a key'], ...PUBLISH },
  job: STEPS['run-job'],
  update: { ...FRONT, ...STEPS['update of an event that may have changed'], ...KEPT },
  cancel: { ...FRONT, ...STEPS.cancel, ...KEPT },
  reschedule: { ...FRONT, ...STEPS.reschedule, ...KEPT },
  propose: { ...FRONT, 'free/busy': google('POST /calendar/v3/freeBusy'), A: neon('insert into "proposals"') },
  proposemove: { ...FRONT, ...STEPS['reschedule that proposes'] },
  offer: { ...FRONT, ...STEPS['reschedule that proposes'] },
  accept: { ...FRONT, ...STEPS.accept, ...PUBLISH },
  choose: { ...PAGE, ...STEPS.accept, ...PUBLISH },
  decline: { ...FRONT, ...STEPS.decline },
  refuse: { ...PAGE, ...STEPS.decline },
  counter: { ...PAGE, ...STEPS.counter },
  withdraw: { ...FRONT, ...STEPS.decline },
  expire: { look: neon('w.on_expiry'), end: neon('update "proposals" set "status"', '"expired"') },
  batch: { ...FRONT, A: neon('insert into "batches"'), ...PUBLISH },
  batchcommit: { ...FRONT, A: neon('update "batches" set "status"', '"committed_at"') },
  batchstop: { ...FRONT, A: neon('update "batches" set "status"', '"next_run_at"') },
  round: { ...ROUND, ...STEPS['schedule, only if free'] },
  search: { ...FRONT, 'free/busy': google('POST /calendar/v3/freeBusy') },
  learn: { ...FRONT, model: { target: 'llm' }, write: neon('update "users" set') },
  sweep: { claim: STEPS['sweep that finishes'].claim, look: STEPS['sweep that finishes'].B },
  deliver: {
    claim: neon('update "deliveries" set', 'from "webhook_endpoints"'),
    resolve: { target: 'dns' },
    post: { target: 'inbox' },
    record: neon('"delivery_attempts"'),
  },
  connect: {
    exchange: { target: 'google', match: 'POST /token', body_match: 'authorization_code' },
    zone: google('GET /calendar/v3/users/me/settings'),
    keep: neon('insert into "calendar_accounts"'),
  },
  refresh: {
    claim: neon('update "calendar_accounts" set "refresh_owner"'),
    token: { target: 'google', match: 'POST /token', body_match: 'refresh_token' },
    save: neon('update "calendar_accounts" set', '"access_token"'),
  },
  disconnect: {
    end: neon('update "connections" set "disconnected_at"'),
    revoke: google('POST /revoke'),
    forget: neon('delete from "revocations"'),
  },
} satisfies Record<string, Record<string, Step>>;

/** Operations that no request of a client starts, or whose calls carry no id of it. */
const OF_NO_CLIENT: Operation[] = ['expire', 'sweep', 'deliver', 'connect', 'refresh'];

/**
 * Returns the request ids of an operation's calls. The calls of a job and of a batch carry the id of the request that
 * started it. A batch may have been started by its commit.
 */
function idsOf(operation: Operation): string | undefined {
  if (operation === 'job') return 'auto-';
  if (operation === 'round') return 'batch';
  return OF_NO_CLIENT.includes(operation) ? undefined : `${operation}-`;
}

type Way = Pick<Fault, 'mode' | 'status' | 'body' | 'headers' | 'delay_ms' | 'times'>;

const RATE_LIMITED = { error: { code: 403, errors: [{ reason: 'rateLimitExceeded' }], message: 'Rate limit' } };
const WAYS: Record<string, Way> = {
  'answers 500': { mode: 'status', status: 500, times: 2 },
  'is late': { mode: 'delay', delay_ms: 200, times: 2 },
  'never answers': { mode: 'hang', times: 1 },
  'is cut before': { mode: 'reset', times: 2 },
  'is cut after': { mode: 'after', times: 2 },
  'dies before': { mode: 'kill', times: 1 },
  'dies after': { mode: 'kill_after', times: 1 },
};
const OWN_WAYS: Partial<Record<Target, Record<string, Way>>> = {
  google: {
    'answers 401': { mode: 'status', status: 401, body: { error: { code: 401 } }, times: 1 },
    'answers 403 rate': { mode: 'status', status: 403, body: RATE_LIMITED, times: 2 },
    'answers 429': { mode: 'status', status: 429, headers: { 'retry-after': '1' }, times: 2 },
  },
  inbox: {
    'answers 404': { mode: 'status', status: 404, times: 1 },
    'answers 302': { mode: 'status', status: 302, times: 1 },
  },
  qstash: { 'answers 429': { mode: 'status', status: 429, times: 2 } },
};
/**
 * Delay after which a calendar call still takes effect although its sender gave up. Tandem verifies undone operations a
 * little later than this.
 */
const LATE: Record<string, Way> = { 'comes too late': { mode: 'late', delay_ms: 4 * 60_000, times: 1 } };
const isChange = ({ target, match = '' }: Step) => target === 'google' && /^(POST|PATCH|DELETE) .*\/events/.test(match);

/** Every cell, in an order that spreads each operation over the whole list. */
export const CELLS: Cell[] = seeded(1).shuffle(
  (Object.keys(POINTS) as Operation[]).flatMap((operation) =>
    Object.entries<Step>(POINTS[operation]).flatMap(([point, step]) =>
      Object.entries({ ...WAYS, ...OWN_WAYS[step.target], ...(isChange(step) ? LATE : {}) }).map(([mode, way]) => {
        // Tandem calls the model through a binding, which carries no request id.
        const request_id = step.target === 'llm' ? undefined : idsOf(operation);
        return {
          operation,
          point,
          mode,
          fault: { ...step, ...way, ...(request_id === undefined ? {} : { request_id }) },
        };
      }),
    ),
  ),
);

export const CALAMITIES = [
  'the Worker dies',
  'the stack dies',
  'connections are torn',
  'rows are held beyond a lease',
  'the clock jumps',
  'clocks differ',
  'a person moves an event',
  'a person deletes an event',
  'a person makes an event all-day',
  'a person gives an event no length',
  'a person edits an event',
  'a person takes the guest off or on',
  'a person makes an event a series',
  'an event goes to another calendar',
  'a person restores an event',
  'a person adds a calendar',
  'a person answers an invitation',
  'a guest answers an invitation',
  'a person declines and accepts again',
  'a calendar fills up at an offered time',
  'people act while a change is unknown',
  'pushes of answers come twice and in another order',
  'two Workers remember a key that is replaced',
  'a person takes access away',
  'access tokens run out',
  'messages come twice',
  'messages come in another order',
  'messages are lost',
  'old messages come again',
  'pushes are lost',
  'pushes come late and twice',
  'Redis is emptied',
] as const;

/**
 * Events that force an order which the others meet only by chance. Plans made from a seed never have them. A plan that
 * was written by hand does.
 */
const FORCED = [
  'an answer is read while a change is unknown',
  'a key that two Workers remember is replaced while nobody uses it',
  'a held time is accepted',
  'a held time is accepted after a calendar filled up',
  'a dry run is committed after a calendar filled up',
] as const;
export type Calamity = (typeof CALAMITIES)[number] | (typeof FORCED)[number];

/** Operations about proposals. A rival books an offered time. */
const PROPOSAL_WANTED = [
  ...([
    'propose',
    'propose',
    'propose',
    'propose',
    'propose',
    'proposemove',
    'offer',
    'accept',
    'accept',
    'choose',
    'choose',
  ] as const),
  ...(['decline', 'refuse', 'counter', 'withdraw', 'expire', 'rival'] as const),
] as const;
/** Operations about batches. A commit needs a dry run, which every third batch is. */
const BATCH_WANTED = ['batch', 'batch', 'batchcommit', 'batchstop'] as const;
export type BatchWanted = (typeof BATCH_WANTED)[number];
export type ProposalWanted = (typeof PROPOSAL_WANTED)[number];

export const WANTED = [
  ...(['book', 'book', 'bookfree', 'bookfree', 'auto', 'auto', 'update', 'update', 'cancel', 'reschedule'] as const),
  ...(['search', 'learn', 'sweep', 'deliver', 'deliver', 'connect', 'disconnect'] as const),
  ...PROPOSAL_WANTED,
  ...BATCH_WANTED,
] as const;
export type Wanted = (typeof WANTED)[number];

/** Returns the cells of one seed. Successive seeds go through all cells. */
export const cellsOf = (seed: number, count: number): Cell[] =>
  Array.from({ length: count }, (_, at) => CELLS[(seed * count + at) % CELLS.length] as Cell);

/**
 * Counts of how often each cell's fault occurred, and how often each event that affects the whole world came during
 * each operation.
 */
export type Coverage = Record<string, number>;

export const nameOf = ({ operation, point, mode }: Omit<Cell, 'fault'>) => `${operation} | ${point} | ${mode}`;

/**
 * Formats both coverage tables as text. `empty` lists the cells that were never met, and `modes` counts the faults by
 * mode.
 */
export function coverageTables(met: Coverage): { text: string; empty: string[]; modes: Coverage } {
  const calls = CELLS.map((cell) => ({
    row: `${cell.operation} | ${cell.point}`,
    column: cell.mode,
    name: nameOf(cell),
  }));
  const whole = CALAMITIES.flatMap((row) => WANTED.map((column) => ({ row, column, name: `${row} | ${column}` })));
  const empty = [...calls, ...whole].filter(({ name }) => !met[name]).map(({ name }) => name);
  const modes: Coverage = {};
  for (const { name, column } of calls) if (met[name]) modes[column] = (modes[column] ?? 0) + met[name];
  return { text: `${table(calls, met)}\n\n${table(whole, met)}`, empty: [...new Set(empty)], modes };
}

function table(cells: { row: string; column: string; name: string }[], met: Coverage): string {
  const columns = [...new Set(cells.map(({ column }) => column))].sort();
  const rows = [...new Set(cells.map(({ row }) => row))].sort();
  const widest = Math.max(...rows.map((row) => row.length));
  const at = new Map(cells.map(({ row, column, name }) => [`${row}\n${column}`, name]));
  const lines = rows.map((row) => {
    const numbers = columns.map((column) => {
      const name = at.get(`${row}\n${column}`);
      return (name === undefined ? '·' : String(met[name] ?? 0)).padStart(column.length);
    });
    return `${row.padEnd(widest)}  ${numbers.join('  ')}`;
  });
  return [`${''.padEnd(widest)}  ${columns.join('  ')}`, ...lines].join('\n');
}
