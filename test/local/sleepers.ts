import { setTimeout as pause } from 'node:timers/promises';
import type { MovableClock } from './clock.ts';
import type { Traffic } from './traffic.ts';

interface Sleeper {
  at: number;
  wake(): void;
}

export type Sleepers = ReturnType<typeof createSleepers>;

/**
 * The Worker's pauses. Each ends at its time on the world's clock, which moves on to the first of them once the Worker
 * does nothing else: no call of its is open, and none comes before `turn` resolves, when it has done what it could.
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
    // A Worker that dies meanwhile takes its sleepers with it.
    const isTurned = await turn().then(
      () => true,
      () => false,
    );
    return isTurned && traffic.count().opened === before.opened && changes === since;
  }

  return {
    /** Resolves after so many ms of the world's clock, or once nobody waits for it any more. */
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
