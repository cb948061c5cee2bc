import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { TARGETS, type Target, type WorldClock } from './targets.ts';

/**
 * Fault to inject: the calls it applies to, how they fail, and how often. `request_id` limits it to requests whose id
 * begins with this text.
 */
export const Fault = z
  .strictObject({
    target: z.enum(TARGETS),
    match: z
      .string()
      .regex(/^([A-Z]+|\*)( \/\S*)?$/, 'a method and a path prefix, such as "POST /calendar/v3"')
      .optional(),
    body_match: z.string().refine(isPattern, 'a regular expression').optional(),
    request_id: z.string().optional(),
    mode: z.enum(['status', 'delay', 'hold', 'hang', 'late', 'reset', 'after', 'kill', 'kill_after']),
    status: z.int().min(200).max(599).optional(),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    delay_ms: z.int().min(0).max(600_000).optional(),
    times: z.int().min(1).optional(),
  })
  .refine((fault) => fault.mode !== 'status' || fault.status !== undefined, {
    path: ['status'],
    message: 'required when mode is "status"',
  })
  .refine((fault) => !['delay', 'late'].includes(fault.mode) || fault.delay_ms !== undefined, {
    path: ['delay_ms'],
    message: 'required when mode is "delay" or "late"',
  });
export type Fault = z.infer<typeof Fault>;

/** Call as a fault sees it. Its request id is that of the request for which the Worker makes the call. */
export interface Call {
  target: Target;
  method: string;
  path: string;
  bodyText: string;
  request_id?: string | null;
}

export type Faults = ReturnType<typeof createFaults>;

export interface Armed {
  hits(): number;
  /** Releases the calls that `hold` keeps, and keeps no more. */
  release(): void;
}

/** Creates the list of faults in force, oldest first. A call meets the first fault that matches it. */
export function createFaults() {
  let armed: { fault: Fault; hits: number; gate: PromiseWithResolvers<void> }[] = [];
  return {
    add(fault: Fault): Armed {
      const added = { fault, hits: 0, gate: Promise.withResolvers<void>() };
      armed.push(added);
      return { hits: () => added.hits, release: added.gate.resolve };
    },
    list: () => armed.map(({ fault, hits }) => ({ ...fault, hits })),
    clear() {
      for (const { gate } of armed) gate.resolve();
      armed = [];
    },
    /** Returns the fault that this call meets, if any, counts it as met, and says until when the call is held. */
    take(call: Call): (Fault & { released: Promise<void> }) | undefined {
      const met = armed.find(
        ({ fault, hits }) => hits < (fault.times ?? Number.POSITIVE_INFINITY) && meets(fault, call),
      );
      if (met === undefined) return undefined;
      met.hits += 1;
      return { ...met.fault, released: met.gate.promise };
    },
  };
}

export function faultResponse(fault: Fault): Response {
  const isText = typeof fault.body === 'string' || fault.body === undefined;
  const body = isText ? String(fault.body ?? '') : JSON.stringify(fault.body);
  const headers = { 'content-type': isText ? 'text/plain' : 'application/json', ...fault.headers };
  const status = fault.status ?? 500;
  return new Response(status === 204 || status === 304 ? null : body, { status, headers });
}

function meets(fault: Fault, call: Call): boolean {
  if (fault.target !== call.target) return false;
  const [method = '*', prefix = '/'] = (fault.match ?? '* /').split(' ');
  if (method !== '*' && method !== call.method) return false;
  if (!call.path.startsWith(prefix)) return false;
  if (fault.request_id !== undefined && !call.request_id?.startsWith(fault.request_id)) return false;
  return fault.body_match === undefined || new RegExp(fault.body_match, 's').test(call.bodyText);
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds from a call to its answer, by target. An answer takes longer if the work does. */
export const Latencies = z.partialRecord(z.enum(TARGETS), z.int().min(0).max(60_000));
export type Latencies = z.infer<typeof Latencies>;

export type Latency = ReturnType<typeof createLatency>;

export function createLatency() {
  let table: Latencies = {};
  return {
    set(changes: Latencies) {
      table = { ...table, ...changes };
    },
    list: () => table,
    /** Delays a call by half of the latency. Returns a function that delays the answer by the rest. */
    async travel(target: Target): Promise<() => Promise<void>> {
      const answersAt = performance.now() + (table[target] ?? 0);
      const waitUntil = async (time: number) => {
        const ms = time - performance.now();
        if (ms > 0) await sleep(Math.ceil(ms));
      };
      await waitUntil((performance.now() + answersAt) / 2);
      return () => waitUntil(answersAt);
    },
  };
}

export type LateCalls = ReturnType<typeof createLateCalls>;

/** Creates the list of calls that arrive at a given time on the world's clock although their sender gave them up. */
export function createLateCalls(clock: Pick<WorldClock, 'now'>) {
  let waiting: { at: number; work: () => unknown }[] = [];
  return {
    add(afterMs: number, work: () => unknown) {
      waiting.push({ at: clock.now() + afterMs, work });
    },
    /** Does the work of all calls whose time has come, in the order in which they were sent. */
    async arrive(): Promise<void> {
      const due = waiting.filter(({ at }) => at <= clock.now());
      waiting = waiting.filter((call) => !due.includes(call));
      for (const { work } of due) await work();
    },
    forget() {
      waiting = [];
    },
  };
}
