import { createContext } from '../../../functions/http/context.ts';
import type { Env } from '../../../functions/http/env.ts';
import { createGoogleCalendar } from '../../../lib/adapters/google-calendar.ts';
import { createGoogleOAuth } from '../../../lib/adapters/google-oauth.ts';
import { loadPeople } from '../../../lib/availability/read-people.ts';
import { readBusy } from '../../../lib/calendars/blocking/free-busy.ts';
import { chooseCalendars, myCalendars } from '../../../lib/calendars/choose.ts';
import { beginConnect, readConnectLink } from '../../../lib/calendars/connect/authorization-request.ts';
import { finishConnect } from '../../../lib/calendars/connect/finish-consent.ts';
import { servedFrom } from '../../../lib/calendars/snapshot/timing.ts';
import { DAY } from '../../../lib/engine/time/dates.ts';
import type { Ctx, Platform } from '../../../lib/kit/context.ts';
import type { QueueMessage } from '../../../lib/kit/ports.ts';
import {
  receivePush,
  sweepCalendars,
  syncCalendar,
  syncCalendars,
} from '../../../lib/meetings/follow/follow-calendar.ts';
import { createPlatform } from '../../../lib/platforms/operator-commands.ts';
import { listBusySnapshots } from '../../../schema/access/busy-snapshots.ts';
import { findReader } from '../../../schema/access/calendar-accounts.ts';
import type { PushMessage } from '../../local/google/channels.ts';
import { createGoogle } from '../../local/google/index.ts';
import type { createNeon } from '../../local/neon.ts';
import { openDb } from '../../local/open-db.ts';
import { createSecrets } from '../../local/platforms.ts';

export interface Call {
  target: 'neon' | 'google';
  path: string;
  /** Number of the call within this act, from 0. */
  number: number;
}

type Phase = 'before' | 'after';
/**
 * Hook on a call. If it throws, the caller sees a broken connection. A response it returns after the call replaces the
 * real one.
 */
export type OnCall = (call: Call, phase: Phase) => unknown;

/** The Worker's death: the interrupted work does not continue. */
export class Death extends Error {}

function createActs() {
  let act: { calls: number; isDead: boolean; onCall: OnCall; later: Promise<unknown>[] } | undefined;
  /** Calls by target. `calendar` counts Google's calendar calls without those for a token. */
  const counts = { neon: 0, google: 0, calendar: 0 };

  /** Passes on every outgoing call. Within an act it counts the call, and may break it before or after its work. */
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
    // The call belongs to the act even if its caller no longer waits, for example because a sibling call failed.
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

  const later = (work: Promise<unknown>) => void act?.later.push(work.catch(() => undefined));

  /** Runs work of the product, and what the work leaves for after its answer, until all is done or the Worker dies. */
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

  return { counts, outgoing, later, run };
}

const AUTHORIZE = 'https://accounts.google.com/o/oauth2/v2/auth';
/** Days served to a search, within what a stored copy covers. */
const SERVED_DAYS = { before: 3, after: 50 };

/**
 * Opens the product's own calendar code in this process, on its own database and Google stand-in. No Worker runs around
 * it, so a history of a hundred calls takes a fraction of a second. Only the network is simulated.
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
  const { counts, outgoing, later, run } = createActs();
  const machineFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const isGoogle = new URL(request.url).hostname.endsWith('googleapis.com');
    return isGoogle ? outgoing('google', request, () => google.fetch(request)) : machineFetch(input, init);
  };

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
    // This lab has no Redis that could count the calls.
    calendar: createGoogleCalendar({ requestId: 'lab' }),
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
      find: async (key) => nonces.get(key) ?? null,
      take: async (key) => nonces.get(key) ?? null,
      bind: async (key, holder) => (nonces.get(key) ?? nonces.set(key, holder).get(key)) === holder,
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

  /** Adds a person with an account and further calendars of these names, and connects the account. */
  async function join(email: string, timezone = 'UTC', summaries: string[] = []) {
    google.addUser({ email, timezone });
    const more = summaries.map((summary) => google.addCalendar({ owner: email, summary }));
    await connect(email);
    return { email, userId: await idOf(email), calendars: [email, ...more] };
  }

  async function connect(email: string, { without = '' } = {}): Promise<void> {
    const link = { platformKey: publishableKey, userEmail: email };
    const { url, state } = await beginConnect(ctx, link, await readConnectLink(ctx, link));
    const asked = new URL(url).searchParams;
    const form = new URLSearchParams([...asked, ['email', email], ['action', 'allow']]);
    for (const scope of (asked.get('scope') ?? '').split(' '))
      if (!scope.endsWith(`/${without}`)) form.append('granted', scope);
    const allowed = await google.fetch(new Request(`${AUTHORIZE}/consent`, { method: 'POST', body: form }));
    const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { kind } = await finishConnect(ctx, { code, state }, (userId) => syncCalendar(ctx, userId));
    if (kind !== 'connected') throw new Error(`${email} is not connected`);
  }

  async function tick(onCall?: OnCall): Promise<void> {
    await run(() => sweepCalendars(ctx, now + 45_000), onCall);
    for (const { path, body } of messages.splice(0)) {
      if (path !== '/internal/sync-calendars') continue;
      const { user_ids, asked_at } = body as { user_ids: string[]; asked_at: number };
      await run(() => syncCalendars(ctx, { userIds: user_ids, askedAt: asked_at }), onCall);
    }
  }

  /** Delivers a push as the Worker receives it. Returns true if it was accepted as genuine. */
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

  /**
   * Returns what the snapshot would serve to a search now, as [start, end] pairs; undefined if the search would ask the
   * provider.
   */
  async function served(email: string) {
    const span = servedSpan();
    const [snapshot] = await listBusySnapshots(ctx.db, { who: { platformId: platform.id, emails: [email] }, now });
    const found = servedFrom(snapshot, span, now);
    return found && { busy: clipped([...found.busy], span), readAt: found.readAt };
  }

  /** Loads these people as a search of the platform does. Returns the source it would use for each person. */
  async function ask(...emails: string[]) {
    const loaded = await run(() => loadPeople(ctx, platform, { emails, isFresh: false }));
    return emails.map((email) => {
      const snapshot = loaded?.snapshots.find((one) => one.email === email);
      return servedFrom(snapshot, servedSpan(), now) === undefined ? 'google' : 'snapshot';
    });
  }

  /** Reads live what a search would read now. Returns the error if the read fails. */
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

  /** Opens the person's page and saves it with the named calendars ticked. Returns the answer. */
  async function choose(email: string, names: string[]) {
    const userId = await idOf(email);
    const page = await pageOf(userId);
    const shown = page?.kind === 'listed' ? page.calendars : [];
    const ticked = shown.filter(({ name, isMain }) => names.includes(isMain ? 'main' : name));
    const marks = (calendars: typeof shown) => calendars.map(({ mark }) => mark);
    return run(() => chooseCalendars(ctx, userId, { shown: marks(shown), ticked: marks(ticked) }));
  }

  const page = async (email: string) => pageOf(await idOf(email));

  const pageOf = (userId: string) =>
    run(async () => {
      const owner = await findReader(ctx.db, userId);
      return owner && myCalendars(ctx, owner);
    });

  /** Returns the combined free/busy of the calendars, as edges, over all the time a history may last. */
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
    /** Starts a history at the current time. */
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
    /** Cuts edges to the span that `served` shows. */
    clippedNow: (given: number[]) => clipped(given, servedSpan()),
    /** Returns what `served` must show. */
    truth: (...calendars: string[]) => clipped(edges(calendars), servedSpan()),
    rowOf,
    async close() {
      globalThis.fetch = machineFetch;
      await neon.close();
    },
  };
}

export type CalendarLab = Awaited<ReturnType<typeof openCalendarLab>>;

const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);

/** Cuts edges to a span and returns them as readable pairs of minutes. */
function clipped(edges: number[], { start, end }: { start: number; end: number }): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [from, until] = [Math.max(edges[at] ?? 0, start), Math.min(edges[at + 1] ?? 0, end)];
    if (from < until) pairs.push([minute(from), minute(until)]);
  }
  return pairs;
}

/** Turns spans into edges. Spans that touch or overlap become one. */
function merged(spans: [number, number][]): number[] {
  const edges: number[] = [];
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    const last = edges.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (start > last) edges.push(start, end);
    else if (end > last) edges[edges.length - 1] = end;
  }
  return edges;
}
