import { takeShare } from '../support/fuzz/share.ts';
import { KEPT_SEEDS } from './kept-seeds.ts';

const DAY_MS = 86_400_000;

interface Chosen {
  /** Parses seeds: "17", "3,9" or "1-500". A seed that is given twice is played twice. */
  seeds?: string | undefined;
  /** Returns this many seeds that change with the date. */
  today?: string | undefined;
  /** Parses a share: "2/5" is the second fifth of the seeds. */
  share: string;
}

/** Returns the seeds to play, with the kept ones first unless the seeds are given one by one. */
export function chooseSeeds({ seeds, today, share }: Chosen, now = Date.now()): number[] {
  const count = Number(today ?? 0);
  const first = 1_000_000 + Math.floor(now / DAY_MS) * count;
  const named = seeds === undefined ? between(first, first + count - 1) : seeds.split(',').flatMap(range);
  const kept = seeds === undefined || seeds.includes('-') ? Object.keys(KEPT_SEEDS).map(Number) : [];
  return takeShare([...kept, ...named.filter((seed) => !kept.includes(seed))], share);
}

function range(text: string): number[] {
  const [first = Number.NaN, last = first] = text.split('-').map(Number);
  if (!(first <= last)) throw new Error(`"${text}" names no seeds`);
  return between(first, last);
}

const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
