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

export function createActs() {
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
