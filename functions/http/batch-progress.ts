import type { BatchCounts } from '../../schema/meetings/batches-list.ts';

/** Returns 0 to 1. A dry run that was not committed only has to place its meetings. */
export function progressOf(
  { searched, open, placed }: Pick<BatchCounts, 'searched' | 'open' | 'placed'>,
  { total, isDryRun, committedAt }: { total: number; isDryRun: boolean; committedAt: number | null },
): number {
  const isPlanOnly = isDryRun && committedAt === null;
  const settled = total - open - (isPlanOnly ? 0 : placed);
  return Math.round(((searched + settled) / (2 * total)) * 100) / 100;
}
