/** Returns the items of a share: "2/5" takes every fifth one, from the second on. */
export function takeShare<T>(items: readonly T[], share: string): T[] {
  const [part = Number.NaN, parts = Number.NaN] = share.split('/').map(Number);
  if (!(part >= 1 && part <= parts)) throw new Error(`"${share}" is no share such as 2/5`);
  return items.filter((_, at) => at % parts === part - 1);
}
