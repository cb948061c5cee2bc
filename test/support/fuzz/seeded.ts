/** Returns the same numbers between 0 and 1 for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function seeded(seed: number) {
  const next = randomFrom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick<T>(from: readonly T[]): T {
      const chosen = from[below(from.length)];
      if (chosen === undefined) throw new Error('there is nothing to pick from');
      return chosen;
    },
    shuffle: <T>(from: readonly T[]): T[] => shuffled(next, from),
  };
}

export function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  return list
    .map((entry) => ({ entry, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
}

/** Returns the items of a share: "2/5" takes every fifth one, from the second on. */
export function takeShare<T>(items: readonly T[], share: string): T[] {
  const [part = Number.NaN, parts = Number.NaN] = share.split('/').map(Number);
  if (!(part >= 1 && part <= parts)) throw new Error(`"${share}" is no share such as 2/5`);
  return items.filter((_, at) => at % parts === part - 1);
}
