import { seeded } from '../support/fuzz/seeded.ts';
import { CALAMITIES, type Calamity, type Cell, cellsOf, type Operation, WANTED, type Wanted } from './coverage.ts';

/**
 * Part of a history that happens at about the same time. Each part has its own randomness, so that a change of one does
 * not shift the others.
 */
export interface Wave {
  cells: Cell[];
  wanted: { what: Wanted; seed: number }[];
  /** Events that affect the whole world, each with its delay in ms from the start of the wave. */
  calamities: { what: Calamity; seed: number; afterMs: number }[];
}

export interface Plan {
  seed: number;
  waves: Wave[];
  /** True if the people who went away return before the end. */
  isForgiving: boolean;
  /** True if a platform has other times offered for declined meetings. */
  doesOffer: boolean;
}

const WAVES = 10;
const CELLS_A_SEED = 14;
const AT_ONCE = 5;
const LONGEST_PAUSE_MS = 120;

/** Operations of clients that make an operation of the product itself likely, keyed by the latter. */
const BY: Partial<Record<Operation, Wanted>> = { job: 'deliver', round: 'deliver', refresh: 'search' };

/**
 * Operations that come in later waves, because they need a meeting, a proposal, a batch or a disconnected person. A job can come at any
 * time.
 */
const LATE: Operation[] = [
  ...(['sweep', 'refresh', 'update', 'cancel', 'reschedule', 'disconnect', 'connect', 'proposemove', 'offer'] as const),
  ...(['accept', 'choose', 'decline', 'refuse', 'counter', 'withdraw', 'expire'] as const),
  ...(['batchcommit', 'batchstop', 'round'] as const),
];
const lateness = ({ operation }: Cell) => (LATE.includes(operation) ? 1 : 0);

/** Generates the whole history of a seed. The same seed always gives the same history. */
export function planOf(seed: number): Plan {
  const random = seeded(seed * 7919);
  const part = () => random.below(2 ** 31);
  const cells = cellsOf(seed, CELLS_A_SEED).sort((one, other) => lateness(one) - lateness(other));
  const waves = Array.from({ length: WAVES }, (_, at): Wave => {
    const mine = cells.filter((_cell, n) => Math.floor((n * WAVES) / cells.length) === at);
    const needed = mine.map(({ operation }) => BY[operation] ?? (operation as Wanted));
    const more = Array.from({ length: AT_ONCE - needed.length }, () => random.pick(WANTED));
    const isBad = random.below(3) > 0;
    return {
      cells: mine,
      wanted: [...needed, ...more].map((what) => ({ what, seed: part() })),
      calamities: Array.from({ length: isBad ? 1 + random.below(2) : 0 }, () => ({
        what: random.pick(CALAMITIES),
        seed: part(),
        afterMs: random.below(LONGEST_PAUSE_MS),
      })),
    };
  });
  return { seed, waves, isForgiving: random.below(3) > 0, doesOffer: random.below(2) === 0 };
}

/**
 * Plan in words that stay valid when the generator of plans changes: each wave's cells, wishes and events that affect
 * the whole world.
 */
export interface KeptPlan {
  story: string;
  isForgiving: boolean;
  doesOffer?: boolean;
  /**
   * Entries of each wave: "update | C | is late"; "book 17" with its seed; "the clock jumps 17 40" with its seed and
   * its ms into the wave.
   */
  waves: { cells: string[]; wanted: string[]; calamities: string[] }[];
}
