import { createContext } from '../../functions/context.ts';
import type { Env } from '../../functions/env.ts';
import { createGoogleOAuth } from '../../lib/adapters/google-oauth.ts';
import { beginLogin } from '../../lib/calendars/connect/begin.ts';
import { finishConnect } from '../../lib/calendars/connect/finish.ts';
import { servedFrom } from '../../lib/calendars/snapshot/serve.ts';
import type { Ctx } from '../../lib/context.ts';
import { receivePush } from '../../lib/meetings/receive-push.ts';
import { sweepCalendars, syncCalendars } from '../../lib/meetings/sweep-calendars.ts';
import type { QueueMessage } from '../../lib/ports.ts';
import { listBusySnapshots } from '../../schema/busy-snapshots/queries.ts';
import type { PushMessage } from '../local/google/channels.ts';
import { createGoogle } from '../local/google/index.ts';
import { createNeon } from '../local/neon.ts';
import { openDb } from '../local/open-db.ts';
import { createSecrets } from '../local/secrets.ts';
import { migratedDatabase } from './prepared.ts';

const DAY = 86_400_000;
const AUTHORIZE = 'https://accounts.google.com/o/oauth2/v2/auth';
/** What is served for the longest search: the days it may ask for, with those it reads beside them. */
const SERVED_DAYS = { before: 3, after: 100 };

/** One call that leaves the process: what it goes to, and how often that was called before. */
export interface Call {
  target: 'neon' | 'google';
  path: string;
  /** Of this act, from 0. */
  number: number;
}

type Phase = 'before' | 'after';
/** May throw, which the caller sees as a connection that broke, or after the call answer in its place. */
export type OnCall = (call: Call, phase: Phase) => unknown;

/** The Worker died: nothing of what it was at goes on. */
export class Death extends Error {}

/**
 * The product's own code for calendars in this process, on a database and a Google of its own, without the Worker around
 * it, so that a history of a hundred calls takes a fraction of a second. Only the network is the stand-ins'.
 */
export async function openCalendarLab() {
  let now = Date.parse('2026-03-02T08:00:00Z');
  let start = now;
  const clock = { now: () => now };
  const secrets = createSecrets();
  const neon = await createNeon({ snapshot: await migratedDatabase() });
  const pushes: PushMessage[] = [];
  const google = createGoogle({
    clock,
    clientId: secrets.GOOGLE_CLIENT_ID,
    clientSecret: secrets.GOOGLE_CLIENT_SECRET,
  });
  google.settings.pushes = 'held';
  let act: { calls: number; isDead: boolean; onCall: OnCall; later: Promise<unknown>[] } | undefined;
  const counts = { neon: 0, google: 0 };

  /** Every outgoing call passes here; within an act it is counted, and may break before or after its work. */
  async function outgoing(target: Call['target'], request: Request, work: () => Promise<Response> | Response) {
    const current = act;
    counts[target] += 1;
    if (current === undefined) return work();
    const call = { target, path: new URL(request.url).pathname, number: current.calls++ };
    const meet = async (phase: Phase) => {
      try {
        if (current.isDead) throw new Death();
        return await current.onCall(call, phase);
      } catch (error) {
        if (error instanceof Death) current.isDead = true;
        throw error;
      }
    };
    // A call whose caller no longer waits, as when its sibling failed, still belongs to the act.
    const ended = Promise.withResolvers<void>();
    current.later.push(ended.promise);
    try {
      await meet('before');
      const response = await work();
      const instead = await meet('after');
      return instead instanceof Response ? instead : response;
    } finally {
      ended.resolve();
    }
  }

  const machineFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const isGoogle = new URL(request.url).hostname.endsWith('googleapis.com');
    return isGoogle ? outgoing('google', request, () => google.fetch(request)) : machineFetch(input, init);
  };

  const later = (work: Promise<unknown>) => void act?.later.push(work.catch(() => undefined));
  const logs: { message: string; fields: Record<string, unknown> }[] = [];
  const nonces = new Map<string, string>();
  const messages: QueueMessage[] = [];
  const env: Env = {
    ...secrets,
    BASE_URL: 'https://api.tandem.test',
    DATABASE_URL: 'postgresql://tandem:local@unused.neon.test/tandem',
    UPSTASH_REDIS_REST_URL: 'https://redis.tandem.test',
    QSTASH_URL: 'https://qstash.tandem.test',
    GOOGLE_AUTHORIZE_URL: AUTHORIZE,
  };
  const made = createContext(env, 'lab', later);
  const ctx: Ctx = {
    ...made,
    db: openDb({ ...neon, fetch: (request) => outgoing('neon', request, () => neon.fetch(request)) }),
    clock,
    oauth: createGoogleOAuth({
      clientId: secrets.GOOGLE_CLIENT_ID,
      clientSecret: secrets.GOOGLE_CLIENT_SECRET,
      authorizeUrl: AUTHORIZE,
      now: clock.now,
      requestId: 'lab',
    }),
    queue: { publish: async (...given) => void messages.push(...given) },
    nonces: {
      put: async (key, value) => void nonces.set(key, value),
      take: async (key) => nonces.get(key) ?? null,
    },
    log: (_level, message, fields = {}) => void logs.push({ message, fields }),
    sleep: async (ms) => {
      now += ms;
    },
    later,
  };

  /** Runs something of the product and what it leaves for after its answer, to its end or the Worker's death. */
  async function run<T>(work: () => Promise<T>, onCall: OnCall = () => undefined): Promise<T | undefined> {
    const outer = act;
    const current = { calls: 0, isDead: false, onCall, later: [] as Promise<unknown>[] };
    act = current;
    try {
      return await work();
    } catch (error) {
      if (!current.isDead) throw error;
      return undefined;
    } finally {
      for (let left = current.later.shift(); left !== undefined; left = current.later.shift()) await left;
      act = outer;
    }
  }

  /** A person with an account who connects it. */
  async function join(email: string, timezone = 'UTC') {
    google.addUser({ email, timezone });
    await connect(email);
    const [row] = await neon.query('select id from users where email = $1', [email]);
    return { email, userId: String(row?.id) };
  }

  async function connect(email: string): Promise<void> {
    const { url, state } = await beginLogin(ctx, email);
    const asked = new URL(url).searchParams;
    const form = new URLSearchParams([...asked, ['email', email], ['action', 'allow']]);
    for (const scope of (asked.get('scope') ?? '').split(' ')) form.append('granted', scope);
    const allowed = await google.fetch(new Request(`${AUTHORIZE}/consent`, { method: 'POST', body: form }));
    const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { kind } = await finishConnect(ctx, { code, state });
    if (kind !== 'page') throw new Error(`${email} is not connected`);
  }

  /** The minute's tick, and what the queue then delivers. */
  async function tick(onCall?: OnCall): Promise<void> {
    await run(() => sweepCalendars(ctx, now + 45_000), onCall);
    for (const { body } of messages.splice(0)) {
      const { user_ids, asked_at } = body as { user_ids: string[]; asked_at: number };
      await run(() => syncCalendars(ctx, { userIds: user_ids, askedAt: asked_at }), onCall);
    }
  }

  /** Delivers a push as the Worker gets it; answers whether it was believed. */
  const deliver = ({ headers }: PushMessage, onCall?: OnCall) =>
    run(
      () =>
        receivePush(ctx, {
          channelId: headers['X-Goog-Channel-ID'] ?? '',
          token: headers['X-Goog-Channel-Token'] ?? '',
          state: headers['X-Goog-Resource-State'] ?? '',
          number: Number(headers['X-Goog-Message-Number']),
        }),
      onCall,
    );

  const servedSpan = () => ({ start: now - SERVED_DAYS.before * DAY, end: now + SERVED_DAYS.after * DAY });

  /** What a search would be served from the snapshot now, as [start, end] pairs; undefined when it would ask the provider. */
  async function served(email: string) {
    const span = servedSpan();
    const [snapshot] = await listBusySnapshots(ctx.db, { emails: [email], now });
    const found = servedFrom(snapshot, span, now);
    return found && { busy: clipped([...found.busy], span), readAt: found.readAt };
  }

  /** What the calendar's own free/busy says of all the time a history may last, as edges. */
  function edges(calendar: string): number[] {
    const from = new Date(start - 30 * DAY).toISOString();
    const until = new Date(start + 500 * DAY).toISOString();
    const spans = google.busy({ calendar, start: from, end: until });
    return spans.flatMap((one) => [Date.parse(one.start), Date.parse(one.end)]);
  }

  const rowOf = async (userId: string) =>
    (await neon.query('select * from busy_snapshots where user_id = $1', [userId]))[0];

  return {
    ctx,
    google,
    neon,
    clock,
    logs,
    pushes,
    counts,
    advance: (ms: number) => {
      now += ms;
    },
    /** A history begins. */
    begin() {
      start = now;
    },
    run,
    join,
    connect,
    tick,
    deliver,
    served,
    edges,
    /** Edges as `served` shows them. */
    clippedNow: (given: number[]) => clipped(given, servedSpan()),
    /** What `served` must show. */
    truth: (calendar: string) => clipped(edges(calendar), servedSpan()),
    rowOf,
    async close() {
      globalThis.fetch = machineFetch;
      await neon.close();
    },
  };
}

export type CalendarLab = Awaited<ReturnType<typeof openCalendarLab>>;

const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);

/** Edges within a span, as pairs of minutes one can read. */
function clipped(edges: number[], { start, end }: { start: number; end: number }): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [from, until] = [Math.max(edges[at] ?? 0, start), Math.min(edges[at + 1] ?? 0, end)];
    if (from < until) pairs.push([minute(from), minute(until)]);
  }
  return pairs;
}
