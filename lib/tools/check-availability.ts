import * as z from 'zod';
import { AvailabilityRequest, type DateRange } from '../../schema/api/availability.ts';
import { findAvailability } from '../availability/search.ts';
import { ownAvailability } from '../availability/user-availability.ts';
import { suggestionOf } from '../scheduling/relaxations.ts';
import { readingTool } from './tool.ts';
import { sayWhen, toWhen, when, whenOfSlot } from './when.ts';

const { attendees, duration_minutes, date_range, context } = AvailabilityRequest.shape;

const words = {
  name: 'check_availability',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
};

const toDateRange = ({ date_range: range }: { date_range?: DateRange | undefined }) =>
  range && { startDate: range.start_date, endDate: range.end_date };

/** When two people whom the platform schedules can meet. */
export const checkAvailability = readingTool({
  ...words,
  title: 'Find free times of two people',
  description: "At most 5 mutual free times, best first. Dates are in the first attendee's zone.",
  for: 'platform',
  input: z.object({ attendees, duration_minutes, date_range, context }),
  output: z.object({
    slots: z.array(z.object({ ...when, score: z.number(), reason: z.string() })),
    search_window: z.object({ start: z.string(), end: z.string() }),
    message: z.string().optional(),
    suggestions: z.array(z.string()).optional(),
    suggested_title: z.string().optional(),
  }),
  async run({ ctx, caller, input }) {
    const found = await findAvailability(ctx, caller.platform, {
      attendees: input.attendees,
      durationMinutes: input.duration_minutes,
      dateRange: toDateRange(input),
      context: input.context,
      isFresh: false,
    });
    const { window, message, suggestedTitle } = found;
    const slots = found.slots.map((slot) => ({ ...whenOfSlot(slot), score: slot.score, reason: slot.reason }));
    const suggestions = found.relaxations?.map(suggestionOf);
    const none = [message ?? 'The two have no common free time.', ...(suggestions ?? [])].join(' ');
    return {
      data: { slots, search_window: window, message, suggestions, suggested_title: suggestedTitle },
      text:
        slots.length === 0
          ? none
          : [
              `The best times free for both from ${window.start} to ${window.end}:`,
              ...slots.map((slot, i) => `${i + 1}. ${sayWhen(slot)}. ${slot.reason}`),
            ].join('\n'),
    };
  },
});

/** When the caller is free; nobody else's time is theirs to know. */
export const checkOwnAvailability = readingTool({
  ...words,
  title: 'Find your free time',
  description: 'Within your work hours, at least as long as the duration. Dates are in your zone.',
  for: 'user',
  input: z.object({ duration_minutes, date_range }),
  output: z.object({
    intervals: z.array(z.object(when)),
    search_window: z.object({ start: z.string(), end: z.string() }),
  }),
  async run({ ctx, caller, input }) {
    const { timeZone, window, intervals } = await ownAvailability(ctx, caller, {
      durationMinutes: input.duration_minutes,
      dateRange: toDateRange(input),
    });
    const free = intervals.map((interval) => toWhen(interval, [{ email: caller.email, timeZone }]));
    const dates = `from ${window.start} to ${window.end}`;
    return {
      data: { intervals: free, search_window: window },
      text:
        free.length === 0
          ? `You have no free ${input.duration_minutes} minutes ${dates}.`
          : [`You are free, ${dates}:`, ...free.map((interval) => `${sayWhen(interval)}.`)].join('\n'),
    };
  },
});
