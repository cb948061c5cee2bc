import { setTimeout as pause } from 'node:timers/promises';
import type { MovableClock } from './clock.ts';
import type { Traffic } from './traffic.ts';

interface Sleeper {
  at: number;
  wake(): void;
}

export type Sleepers = ReturnType<typeof createSleepers>;

/**
 * Creates the Worker's pauses. Each ends at its time on the world's clock. The clock moves to the first of these times
 * once the Worker does nothing else: it has no open call, and none begins before `turn` resolves.
 */
export function createSleepers({
  clock,
  traffic,
  turn,
}: {
  clock: Pick<MovableClock, 'now' | 'advance'>;
  traffic: Pick<Traffic, 'count'>;
  turn: () => Promise<void>;
}) {
  const sleepers = new Set<Sleeper>();
  let changes = 0;
  let watching = false;

  async function watch(): Promise<void> {
    for (;;) {
      const [first] = [...sleepers].sort((one, other) => one.at - other.at);
      if (first === undefined) return;
      if (first.at <= clock.now()) first.wake();
      else if (await isIdle()) clock.advance(Math.max(0, first.at - clock.now()));
      else await pause(1);
    }
  }

  async function isIdle(): Promise<boolean> {
    const [before, since] = [traffic.count(), changes];
    if (before.opened > before.closed) return false;
    // If the Worker dies meanwhile, its pauses end with it.
    const isTurned = await turn().then(
      () => true,
      () => false,
    );
    return isTurned && traffic.count().opened === before.opened && changes === since;
  }

  return {
    /** Resolves after this many ms of the world's clock, or once nobody waits for it any more. */
    async sleep(ms: number, gone?: AbortSignal): Promise<void> {
      const slept = new Promise<void>((wake) => {
        const sleeper = {
          at: clock.now() + ms,
          wake() {
            sleepers.delete(sleeper);
            changes += 1;
            wake();
          },
        };
        sleepers.add(sleeper);
        changes += 1;
        gone?.addEventListener('abort', sleeper.wake, { once: true });
      });
      if (!watching) {
        watching = true;
        watch().finally(() => {
          watching = false;
        });
      }
      return slept;
    },
  };
}

const TRIES = 3;

/** Calls `act` up to three times, because a busy machine can be too slow at first. Throws the last error. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await act();
    } catch (error) {
      if (tried === TRIES) throw error;
    }
  }
}
