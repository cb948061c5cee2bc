import type { WorldClock } from './stand-in.ts';

export interface MovableClock extends WorldClock {
  /** How far the world runs ahead of the machine, in ms. */
  offset(): number;
  advance(ms: number): void;
}

/** The one clock the stand-ins and the Worker share: the machine's, moved forward on request. */
export function createClock(): MovableClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    offset: () => offset,
    advance: (ms) => {
      offset += ms;
    },
  };
}
