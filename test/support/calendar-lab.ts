import { createContext } from '../../functions/context.ts';
import type { Env } from '../../functions/env.ts';
import { createGoogleOAuth } from '../../lib/adapters/google-oauth.ts';
import { loadPeople } from '../../lib/availability/read-people.ts';
import { chooseCalendars, myCalendars } from '../../lib/calendars/blocking/choose.ts';
import { beginConnect } from '../../lib/calendars/connect/begin.ts';
import { finishConnect } from '../../lib/calendars/connect/finish.ts';
import { readBusy } from '../../lib/calendars/read-busy.ts';
import { servedFrom } from '../../lib/calendars/snapshot/serve.ts';
import type { Ctx, Platform } from '../../lib/context.ts';
import { receivePush } from '../../lib/meetings/receive-push.ts';
import { sweepCalendars, syncCalendars } from '../../lib/meetings/sweep-calendars.ts';
import { createPlatform } from '../../lib/platforms/create-platform.ts';
import type { QueueMessage } from '../../lib/ports.ts';
import { listBusySnapshots } from '../../schema/busy-snapshots/queries.ts';
import { findReader } from '../../schema/calendar-accounts/blocking-queries.ts';
import type { PushMessage } from '../local/google/channels.ts';
import { createGoogle } from '../local/google/index.ts';
import type { createNeon } from '../local/neon.ts';
import { openDb } from '../local/open-db.ts';
import { createSecrets } from '../local/secrets.ts';
import { clipped, merged } from './edges.ts';

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
export async function openCalendarLab(neon: Awaited<ReturnType<typeof createNeon>>) {
  let now = Date.parse('2026-03-02T08:00:00Z');
  let start = now;
  const clock = { now: () => now };
  const secrets = createSecrets();
  const pushes: PushMessage[] = [];
  const google = createGoogle({
    clock,
    clientId: secrets.GOOGLE_CLIENT_ID,
    clientSecret: secrets.GOOGLE_CLIENT_SECRET,
  });
  google.settings.pushes = 'held';
  let act: { calls: number; isDead: boolean; onCall: OnCall; later: Promise<unknown>[] } | undefined;
  /** Calls by what they go to; of Google's, those to its calendar, and not for a token. */
  const counts = { neon: 0, google: 0, calendar: 0 };

  /** Every outgoing call passes here; within an act it is counted, and may break before or after its work. */
  async function outgoing(target: Call['target'], request: Request, work: () => Promise<Response> | Response) {
    const current = act;
    const path = new URL(request.url).pathname;
    counts[target] += 1;
    if (path.startsWith('/calendar/')) counts.calendar += 1;
    if (current === undefined) return work();
    const call = { target, path, number: current.calls++ };
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
      claim: async (key, holder) => (nonces.get(key) ?? nonces.set(key, holder).get(key)) === holder,
    },
    log: (_level, message, fields = {}) => void logs.push({ message, fields }),
    sleep: async (ms) => {
      now += ms;
    },
    later,
  };

  const owner = { name: 'Lab', email: 'dev@lab.test', plan: 'enterprise' as const };
  const { id: platformId, publishableKey } = await createPlatform(ctx, owner);
  const platform: Platform = { ...owner, id: platformId, redirectUris: [] };

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

  /** A person with an account, and further calendars of these names, who connects it. */
  async function join(email: string, timezone = 'UTC', summaries: string[] = []) {
    google.addUser({ email, timezone });
    const more = summaries.map((summary) => google.addCalendar({ owner: email, summary }));
    await connect(email);
    return { email, userId: await idOf(email), calendars: [email, ...more] };
  }

  async function connect(email: string, { without = '' } = {}): Promise<void> {
    const { url, state } = await beginConnect(ctx, { platformKey: publishableKey, userEmail: email });
    const asked = new URL(url).searchParams;
    const form = new URLSearchParams([...asked, ['email', email], ['action', 'allow']]);
    for (const scope of (asked.get('scope') ?? '').split(' '))
      if (!scope.endsWith(`/${without}`)) form.append('granted', scope);
    const allowed = await google.fetch(new Request(`${AUTHORIZE}/consent`, { method: 'POST', body: form }));
    const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { kind } = await finishConnect(ctx, { code, state });
    if (kind !== 'page') throw new Error(`${email} is not connected`);
  }

  /** The minute's tick, and what the queue then delivers. */
  async function tick(onCall?: OnCall): Promise<void> {
    await run(() => sweepCalendars(ctx, now + 45_000), onCall);
    for (const { path, body } of messages.splice(0)) {
      if (path !== '/internal/sync-calendars') continue;
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

  /** The platform asks for these people, as a search does; answers where it would take each from. */
  async function ask(...emails: string[]) {
    const [, , , snapshots = []] =
      (await run(() => loadPeople(ctx, platform, { emails, rangeEnd: 0, isFresh: false }))) ?? [];
    return emails.map((email) => {
      const snapshot = snapshots.find((one) => one.email === email);
      return servedFrom(snapshot, servedSpan(), now) === undefined ? 'google' : 'snapshot';
    });
  }

  /** What a search would read of the same now, live; the failure where it cannot. */
  async function live(email: string) {
    const reader = await findReader(ctx.db, await idOf(email));
    if (reader === undefined) throw new Error(`${email} has no account`);
    const span = servedSpan();
    const busy = await run(() => readBusy(ctx, reader, span).catch((error: Error) => error));
    if (!(busy instanceof Float64Array)) return busy;
    return clipped([...busy], span);
  }

  const idOf = async (email: string) =>
    String((await neon.query('select id from users where email = $1', [email]))[0]?.id);

  /** The page a person has open, and what it says when they save it with these of their calendars ticked, by name. */
  async function choose(email: string, names: string[]) {
    const userId = await idOf(email);
    const page = await pageOf(userId);
    const shown = page?.kind === 'listed' ? page.calendars : [];
    const ticked = shown.filter(({ name, isMain }) => names.includes(isMain ? 'main' : name));
    const marks = (calendars: typeof shown) => calendars.map(({ mark }) => mark);
    return run(() => chooseCalendars(ctx, userId, { shown: marks(shown), ticked: marks(ticked) }));
  }

  /** What the person's page says of their calendars. */
  const page = async (email: string) => pageOf(await idOf(email));

  const pageOf = (userId: string) =>
    run(async () => {
      const owner = await findReader(ctx.db, userId);
      return owner && myCalendars(ctx, owner);
    });

  /** What the calendars' own free/busy says of all the time a history may last, together, as edges. */
  function edges(calendars: string[]): number[] {
    const from = new Date(start - 30 * DAY).toISOString();
    const until = new Date(start + 500 * DAY).toISOString();
    const spans = calendars.flatMap((calendar) => google.busy({ calendar, start: from, end: until }));
    return merged(spans.map((one) => [Date.parse(one.start), Date.parse(one.end)]));
  }

  const rowOf = async (userId: string) =>
    (await neon.query('select * from busy_snapshots where user_id = $1', [userId]))[0];

  return {
    ctx,
    platform,
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
    ask,
    live,
    choose,
    page,
    edges,
    /** Edges as `served` shows them. */
    clippedNow: (given: number[]) => clipped(given, servedSpan()),
    /** What `served` must show. */
    truth: (...calendars: string[]) => clipped(edges(calendars), servedSpan()),
    rowOf,
    async close() {
      globalThis.fetch = machineFetch;
      await neon.close();
    },
  };
}

export type CalendarLab = Awaited<ReturnType<typeof openCalendarLab>>;
