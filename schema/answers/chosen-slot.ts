import type { ChosenSlot } from './facts.ts';
import { isoUtc } from './meeting-answers.ts';

export const toChosenSlot = (slot: {
  startTime: string;
  endTime: string;
  score: number;
  comfort: number;
  matchQuality: string;
}): ChosenSlot => ({
  start_time: slot.startTime,
  end_time: slot.endTime,
  score: slot.score,
  comfort: slot.comfort,
  match_quality: slot.matchQuality,
});

/** If the calendar has the meeting at another time, its start and end are those of the calendar. */
export function slotAt(chosen: ChosenSlot, { start, end }: { start: number; end: number }): ChosenSlot {
  if (Date.parse(chosen.start_time) === start && Date.parse(chosen.end_time) === end) return chosen;
  return { ...chosen, start_time: isoUtc(start), end_time: isoUtc(end) };
}
