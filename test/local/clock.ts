export type MovableClock = ReturnType<typeof createClock>;

/** Creates the clock that the stand-ins and the Worker share: the machine's clock, which can be moved forward. */
export function createClock(offset = 0) {
  let skew = 0;
  return {
    now: () => Date.now() + offset,
    /** Milliseconds by which the world's clock is ahead of the machine's. */
    offset: () => offset,
    advance(ms: number) {
      offset += ms;
    },
    /** Sets the Worker's clock ahead of everyone else's by this much, or behind if it is negative. */
    skew(ms: number) {
      skew = ms;
    },
    /** Milliseconds by which the Worker's clock is ahead of the machine's. */
    workerOffset: () => offset + skew,
  };
}
