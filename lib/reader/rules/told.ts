import type { Progress, Told } from './progress.ts';

/** Notes how much has been read so far, before a clause that names a time. */
export const toldSoFar = ({ reading, doubts, unclear, ofOneDay }: Progress): Told => ({
  refused: reading.refused.length,
  standing: reading.standing.length,
  unread: reading.unread.length,
  doubts: doubts.length,
  unclear: unclear.length,
  ofOneDay: ofOneDay.length,
});

/**
 * Withdraws what was made of the clause that named the last time, because a later clause says what that time is for:
 * its doubts and, if `what` is `refused`, also its refusals and rules.
 */
export function forgetTold(progress: Progress, what: 'refused' | 'unread'): void {
  const { reading, told } = progress;
  if (told === undefined) return;
  reading.unread = reading.unread.slice(0, told.unread);
  progress.doubts = progress.doubts.slice(0, told.doubts);
  progress.unclear = progress.unclear.slice(0, told.unclear);
  if (what === 'unread') return;
  reading.refused = reading.refused.slice(0, told.refused);
  reading.standing = reading.standing.slice(0, told.standing);
  progress.ofOneDay = progress.ofOneDay.slice(0, told.ofOneDay);
}
