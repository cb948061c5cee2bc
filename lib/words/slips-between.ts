/** Counts the fewest letters to insert, delete, replace or swap with the next one. */
export function slipsBetween(one: string, two: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: two.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= two.length; j++) {
      const cost = one[i - 1] === two[j - 1] ? 0 : 1;
      const swap = one[i - 1] === two[j - 2] && one[i - 2] === two[j - 1] ? (before[j - 2] ?? i + j) + 1 : i + j;
      row.push(Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + cost, swap));
    }
    [before, last] = [last, row];
  }
  return last[two.length] ?? 0;
}
