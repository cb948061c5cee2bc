import { DEFAULT_MAX_MEETINGS_PER_DAY, DEFAULT_WORK_HOURS } from '../../lib/scheduling/defaults.ts';
import { findSlots } from '../../lib/scheduling/find-slots.ts';
import { parseBusy } from '../../lib/scheduling/provider-time.ts';
import type { Person } from '../../lib/scheduling/types.ts';
import { searchWindow } from '../../lib/scheduling/window.ts';
import type { BenchInput, BenchSlot } from './search-input.ts';

/** The product's own search, from the provider's strings to slots as the wire has them. */
export function withEngine(input: BenchInput): BenchSlot[] {
  const timeZone = 'America/New_York';
  const found = searchWindow({ now: input.now, timeZone, windowDays: input.days });
  if (!found.ok) return [];
  const { slots } = findSlots({
    requester: person('ada@example.com', timeZone, input.newYork),
    other: person('bob@example.com', 'Europe/Berlin', input.berlin),
    durationMinutes: input.durationMinutes,
    window: found.window,
    now: input.now,
  });
  return slots.map(({ startTime, endTime, score, timezone, reason }) => ({
    start_time: startTime,
    end_time: endTime,
    score,
    timezone,
    reason,
  }));
}

function person(email: string, timeZone: string, busy: BenchInput['newYork']): Person {
  return {
    email,
    timeZone,
    workHours: DEFAULT_WORK_HOURS,
    focusBlocks: [],
    bufferMinutes: 0,
    maxMeetingsPerDay: DEFAULT_MAX_MEETINGS_PER_DAY,
    busy: parseBusy(busy),
    meetings: [],
  };
}
