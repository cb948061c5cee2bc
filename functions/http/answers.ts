import type { ReadWhen } from '../../lib/availability/asked-times.ts';
import type { Relaxation } from '../../lib/engine/rules/relaxations.ts';
import type { SaidSlot } from '../../lib/engine/types.ts';
import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import type * as wire from '../../schema/api/slot.ts';
import type { BatchCounts } from '../../schema/meetings/batches.ts';

export const isoOrNull = (instant: number | null) => (instant === null ? null : isoUtc(instant));

export const toSlotAnswer = (slot: SaidSlot): wire.Slot => ({
  start_time: slot.startTime,
  end_time: slot.endTime,
  score: slot.score,
  product: slot.product,
  comfort: slot.comfort,
  merit: slot.merit,
  timezone: slot.timezone,
  reason: slot.reason,
  factors: slot.factors,
  attendees: slot.attendees.map(({ email, startTime, timezone }) => ({ email, start_time: startTime, timezone })),
});

/** The source is the stored busy times or the calendar itself. */
export const toCalendarAnswer = (read: {
  email: string;
  readAt: string;
  source: wire.CalendarRead['source'];
}): wire.CalendarRead => ({ email: read.email, read_at: read.readAt, source: read.source });

export const toReadingAnswer = (read: ReadWhen | undefined) => ({
  understood: read?.understood,
  not_understood: read?.notUnderstood,
  warnings: read === undefined || read.warnings.length === 0 ? undefined : read.warnings,
});

type Known = Exclude<Relaxation, { change: 'without_when' | 'without_time_ranges' }>;

/** To leave out what the caller itself asked for is no relaxation: the message names the words. */
export const toRelaxationAnswers = (relaxations: readonly Relaxation[]) =>
  relaxations.flatMap((one) =>
    one.change === 'without_when' || one.change === 'without_time_ranges' ? [] : [toRelaxationAnswer(one)],
  );

const toRelaxationAnswer = (relaxation: Known) => {
  const { change, email, opens } = relaxation;
  const answer = { change, email, opens };
  switch (relaxation.change) {
    case 'shorter_duration':
      return { ...answer, duration_minutes: relaxation.durationMinutes };
    case 'more_days':
      return { ...answer, end_date: relaxation.endDate };
    case 'one_more_meeting_a_day':
      return { ...answer, max_meetings_per_day: relaxation.maxMeetingsPerDay };
    case 'longer_hours':
      return { ...answer, start: relaxation.start, end: relaxation.end };
    case 'without_rule':
      return { ...answer, words: relaxation.words };
    case 'without_focus_block':
      return { ...answer, focus_block: relaxation.focusBlock };
    case 'work_on_holiday':
      return { ...answer, holiday: relaxation.holiday };
    default:
      return answer;
  }
};

/** Returns 0 to 1. A dry run that was not committed only has to place its meetings. */
export function progressOf(
  { searched, open, placed }: Pick<BatchCounts, 'searched' | 'open' | 'placed'>,
  { total, isDryRun, committedAt }: { total: number; isDryRun: boolean; committedAt: number | null },
): number {
  const isPlanOnly = isDryRun && committedAt === null;
  const settled = total - open - (isPlanOnly ? 0 : placed);
  return Math.round(((searched + settled) / (2 * total)) * 100) / 100;
}
