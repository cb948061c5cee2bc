import type { WorldClock } from './stand-in.ts';

export interface MovableClock extends WorldClock {
  /** How far the world runs ahead of the machine, in ms. */
  offset(): number;
  advance(ms: number): void;
  /** Puts the Worker's clock so far before everyone else's from now on, or after it when negative. */
  skew(ms: number): void;
  /** How far the Worker's clock runs ahead of the machine, in ms. */
  workerOffset(): number;
}

/** The one clock the stand-ins and the Worker share: the machine's, moved forward on request. */
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
