import { type Calamity, CELLS, nameOf, type Wanted } from './coverage.ts';
import { KEPT_SEEDS } from './kept-seeds.ts';
import type { KeptPlan, Plan } from './plan.ts';

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

/** Returns the plan that was kept under this seed, or undefined. */
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
