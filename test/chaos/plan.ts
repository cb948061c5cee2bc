import { seeded } from '../support/fuzz/seeded.ts';
import {
  CALAMITIES,
  type Calamity,
  CELLS,
  type Cell,
  cellsOf,
  nameOf,
  type Operation,
  WANTED,
  type Wanted,
} from './coverage.ts';
import keptSeeds from './kept-seeds.json' with { type: 'json' };

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
interface KeptPlan {
  story: string;
  isForgiving: boolean;
  doesOffer?: boolean;
  /**
   * Entries of each wave: "update | C | is late"; "book 17" with its seed; "the clock jumps 17 40" with its seed and
   * its ms into the wave.
   */
  waves: { cells: string[]; wanted: string[]; calamities: string[] }[];
}

const FORCED_ORDERS: KeptPlan = {
  story:
    'Written by hand: Tandem reads answers while it does not know whether changes were made, a Worker remembers a key that another one replaced, times are accepted after a calendar filled up and while the Worker dies, and a dry run is committed after a calendar filled up.',
  isForgiving: true,
  waves: [
    // Meetings of both platforms. Each of the answers below is to one of them.
    { cells: [], wanted: ['book 1', 'book 7', 'book 9'], calamities: [] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 1 0'] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 2 0'] },
    { cells: [], wanted: [], calamities: ['an answer is read while a change is unknown 3 0'] },
    { cells: [], wanted: [], calamities: ['a key that two Workers remember is replaced while nobody uses it 1 0'] },
    // Proposals of one to three times, by different people.
    { cells: [], wanted: ['propose 2', 'propose 3', 'propose 5'], calamities: [] },
    { cells: [], wanted: ['propose 6', 'propose 8', 'propose 11'], calamities: [] },
    { cells: [], wanted: [], calamities: ['a held time is accepted after a calendar filled up 1 0'] },
    { cells: [], wanted: [], calamities: ['a held time is accepted 2 0'] },
    { cells: [], wanted: [], calamities: ['a held time is accepted 3 0'] },
    { cells: ['accept | B | dies before'], wanted: [], calamities: ['a held time is accepted 4 0'] },
    // Dry runs of both platforms.
    { cells: [], wanted: ['batch 1', 'batch 32', 'batch 33'], calamities: [] },
    { cells: [], wanted: [], calamities: ['a dry run is committed after a calendar filled up 1 0'] },
    {
      cells: ['round | B | dies before'],
      wanted: [],
      calamities: ['a dry run is committed after a calendar filled up 2 0'],
    },
  ],
};

const SEED_1: KeptPlan = {
  story:
    'Drawn by hand: a booking reaches the calendar minutes after its Worker gave it up and the sweep undid it, and the delayed verification takes it back.',
  isForgiving: true,
  waves: [
    { cells: ['book | B | comes too late'], wanted: ['book 11'], calamities: [] },
    { cells: [], wanted: ['search 12'], calamities: ['the clock jumps 7 0'] },
    { cells: [], wanted: ['sweep 13'], calamities: [] },
  ],
};

/** Number of the plan that was written by hand. Plans made from a seed have numbers from 1 on. */
export const BY_HAND = 0;

/**
 * Histories that once found a fault, keyed by the seed that produced them, and one that was written by hand. Every run of
 * many seeds plays them first.
 */
export const KEPT_SEEDS: Record<number, KeptPlan> = { [BY_HAND]: FORCED_ORDERS, 1: SEED_1, ...keptSeeds };

export const toKept = ({ waves, isForgiving, doesOffer }: Plan): KeptPlan => ({
  story: '',
  isForgiving,
  doesOffer,
  waves: waves.map(({ cells, wanted, calamities }) => ({
    cells: cells.map(nameOf),
    wanted: wanted.map(({ what, seed }) => `${what} ${seed}`),
    calamities: calamities.map(({ what, seed, afterMs }) => `${what} ${seed} ${afterMs}`),
  })),
});

export function keptPlan(seed: number): Plan | undefined {
  const kept = KEPT_SEEDS[seed];
  return (
    kept && {
      seed,
      isForgiving: kept.isForgiving,
      doesOffer: kept.doesOffer ?? false,
      waves: kept.waves.map(({ cells, wanted, calamities }) => ({
        cells: cells.map(cellNamed),
        wanted: wanted.map((text) => {
          const [what, part] = text.split(' ');
          return { what: what as Wanted, seed: Number(part) };
        }),
        calamities: calamities.map((text) => {
          const words = text.split(' ');
          const [part, afterMs] = words.splice(-2).map(Number);
          return { what: words.join(' ') as Calamity, seed: part ?? 0, afterMs: afterMs ?? 0 };
        }),
      })),
    }
  );
}

function cellNamed(name: string) {
  const cell = CELLS.find((one) => nameOf(one) === name);
  if (cell === undefined) throw new Error(`no cell is called "${name}"`);
  return cell;
}
