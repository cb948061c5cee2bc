import type { Batch } from '../tandem.ts';
import { warn } from './show.ts';

const WIDTH = 30;
const CLEAR_LINE = '\r\x1b[2K';

/**
 * In a terminal, `draw` redraws one line on standard error. In a file or a pipe, it prints a line each time that
 * another tenth is done.
 */
export function progressBar({ isTTY, write }: { isTTY: boolean; write: (text: string) => void } = terminal) {
  let tenths = -1;
  return {
    draw(batch: Batch): void {
      const line = progressLine(batch);
      const now = Math.floor(batch.progress * 10);
      if (isTTY) write(`${CLEAR_LINE}${line}`);
      else if (now !== tenths) write(`${line}\n`);
      tenths = now;
    },
    end(): void {
      if (isTTY) write('\n');
    },
  };
}

const terminal = {
  isTTY: process.stderr.isTTY === true,
  write(text: string): void {
    process.stderr.write(text);
  },
};

/** Formats the progress of a batch: a bar, the percentage, and the numbers of meetings by state that are not zero. */
export function progressLine({ progress, total, counts }: Batch): string {
  const full = Math.round(progress * WIDTH);
  const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
  const { open, ...states } = counts;
  const named = Object.entries(states).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]));
  return `${bar} ${String(Math.round(progress * 100)).padStart(3)} % of ${total}: ${[...named, `${open} open`].join(', ')}`;
}

/** Tells the user that the batch continues although the command no longer waits for it, and how to see it again. */
export function tellOfContinuing(batchId: string): void {
  warn(['', `${batchId} continues without this command. To see it again, run: tandem batch show ${batchId}`]);
}
