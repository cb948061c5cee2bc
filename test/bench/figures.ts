export function quantile(samples: number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Formats milliseconds, with one decimal below a hundred. */
export const ms = (value: number): string => value.toFixed(value < 100 ? 1 : 0);

/** Formats how many times larger `a` is than `b`. */
export const ratio = (a: number, b: number): string => `× ${(a / b).toFixed(2)}`;

/** Prints rows of cells in columns. The first row has the column heads. */
export function printTable(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    );
}
