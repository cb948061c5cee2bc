import type { WorldClock } from './targets.ts';

export interface MovableClock extends WorldClock {
  /** Milliseconds by which the world's clock is ahead of the machine's. */
  offset(): number;
  advance(ms: number): void;
  /** Sets the Worker's clock ahead of everyone else's by this much, or behind if it is negative. */
  skew(ms: number): void;
  /** Milliseconds by which the Worker's clock is ahead of the machine's. */
  workerOffset(): number;
}

/** Creates the clock that the stand-ins and the Worker share: the machine's clock, which can be moved forward. */
export function createClock(offset = 0): MovableClock {
  let skew = 0;
  return {
    now: () => Date.now() + offset,
    offset: () => offset,
    advance: (ms) => {
      offset += ms;
    },
    skew: (ms) => {
      skew = ms;
    },
    workerOffset: () => offset + skew,
  };
}
