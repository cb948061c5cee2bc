import { seeded } from '../support/seeded.ts';
import { CALAMITIES, type Calamity, type Cell, cellsOf, type Operation, WANTED, type Wanted } from './coverage.ts';

/** What happens at about the same time; each part has randomness of its own, so that none shifts another's. */
export interface Wave {
  cells: Cell[];
  wanted: { what: Wanted; seed: number }[];
  /** Each so many ms into the wave. */
  calamities: { what: Calamity; seed: number; afterMs: number }[];
}

export interface Plan {
  seed: number;
  waves: Wave[];
  /** Whether those who went away come back before the end. */
  isForgiving: boolean;
}

const WAVES = 10;
const CELLS_A_SEED = 14;
const AT_ONCE = 5;
const LONGEST_PAUSE_MS = 120;

/** What makes an operation of the product itself likely. */
const BY: Partial<Record<Operation, Wanted>> = { job: 'deliver', refresh: 'search' };

/** What needs a meeting, or a person who is connected no more, finds one in the later waves; a job is to be met by any. */
const LATE: Operation[] = ['sweep', 'refresh', 'update', 'cancel', 'reschedule', 'disconnect', 'connect'];
const lateness = ({ operation }: Cell) => (LATE.includes(operation) ? 1 : 0);

/** A seed's whole history, the same each time. */
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
  return { seed, waves, isForgiving: random.below(3) > 0 };
}
