import type { WorldClock } from '../stand-in.ts';
import type { RedisBackend } from './backend.ts';

const JUMP_MS = 1000;

/** Makes keys expire by the world's clock: when the clock jumps, every key's remaining time shrinks by as much. */
export function followClock(backend: RedisBackend, clock: WorldClock): () => Promise<void> {
  let applied = offset();
  let last: Promise<void> = Promise.resolve();

  function offset() {
    return clock.now() - Date.now();
  }

  async function shift() {
    const jump = offset() - applied;
    if (Math.abs(jump) < JUMP_MS) return;
    applied += jump;
    for (const key of await backend.keys()) {
      const left = Number(await backend.run(['pttl', key]));
      if (left >= 0) await backend.run(['pexpire', key, String(Math.round(left - jump))]);
    }
  }

  return () => {
    last = last.catch(() => undefined).then(shift);
    return last;
  };
}
