import * as z from 'zod';
import { AvailabilityRequest, ExplainRequest, toDateRange } from '../../schema/api/availability.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import { explainAvailability, findAvailability, ownAvailability } from '../availability/search.ts';
import { MINUTE } from '../engine/time/dates.ts';
import { sayNotFree, sayPlace } from '../words/explanation.ts';
import { say } from '../words/patterns.ts';
import { toolOf } from './tool.ts';
import { readData, readParts, readText, sayWhen, time, timeRanges, toWhen, when, whenOfSlot, zonesOf } from './when.ts';

const words = { name: 'check_availability', hints: { openWorld: true } };

export const checkAvailability = toolOf({
  ...words,
  title: 'Find times when two people are free',
  description: "Returns at most 5 times when both are free, best first. Dates are in the first attendee's time zone.",
  for: 'platform',
  input: AvailabilityRequest,
  shown: { time_ranges: timeRanges },
  output: z.object({
    slots: z.array(z.object({ ...when, score: z.number(), reason: z.string() })),
    search_window: z.object({ start: z.string(), end: z.string() }),
    message: z.string().optional(),
    suggestions: z.array(z.string()).optional(),
    suggested_title: z.string().optional(),
    ...readParts,
  }),
  async run({ ctx, caller, input }) {
    const found = await findAvailability(ctx, caller.platform, {
      attendees: input.attendees,
      durationMinutes: input.duration_minutes,
      dateRange: toDateRange(input),
      ...toTimesGiven(input),
      context: input.context,
      isFresh: false,
    });
    const { window, message, suggestions, suggestedTitle, read } = found;
    const slots = found.slots.map((slot) => ({ ...whenOfSlot(slot), score: slot.score, reason: slot.reason }));
    const none = [message ?? say('agent.no_times'), ...(suggestions ?? [])].join(' ');
    const best = [
      say('agent.best', { first: window.start, last: window.end }),
      ...slots.map((slot, i) => say('agent.one_of', { number: i + 1, when: sayWhen(slot), reason: slot.reason })),
    ];
    return {
      data: { slots, search_window: window, message, suggestions, suggested_title: suggestedTitle, ...readData(read) },
      text: [...(slots.length === 0 ? [none] : best), ...readText(read)].join('\n'),
    };
  },
});

/** Tool that finds the caller's own free time. A user's API key gives no access to other people's time. */
export const checkOwnAvailability = toolOf({
  ...words,
  title: 'Find your free time',
  description: 'Returns your free time within work hours, at least as long as the duration, in your time zone.',
  for: 'user',
  input: AvailabilityRequest.pick({ duration_minutes: true, date_range: true }),
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
    const dates = { first: window.start, last: window.end };
    const none = say('agent.own_none', { minutes: input.duration_minutes, ...dates });
    const times = [say('agent.own_times', dates), ...free.map((one) => say('agent.own_time', { when: sayWhen(one) }))];
    return { data: { intervals: free, search_window: window }, text: free.length === 0 ? none : times.join('\n') };
  },
});

export const explainTime = toolOf({
  name: 'explain_time',
  title: 'Explain why a time is free or not',
  description: "Returns whose rules exclude a time, or the time's rank.",
  for: 'platform',
  hints: { openWorld: true },
  input: ExplainRequest.omit({ when: true, time_ranges: true }),
  shown: { start_time: time },
  output: z.object({
    free: z.boolean(),
    offered: z.boolean(),
    against: z.array(z.object({ email: z.string().optional(), rule: z.string(), detail: z.string() })),
    rank: z.int().optional(),
    candidates: z.int().optional(),
    reason: z.string().optional(),
    ...when,
  }),
  async run({ ctx, caller, input }) {
    const { attendees, start_time: start, duration_minutes: durationMinutes } = input;
    const dateRange = toDateRange(input);
    const [{ explanation, sayInstead }, people] = await Promise.all([
      explainAvailability(ctx, caller.platform, { attendees, start, durationMinutes, dateRange, isFresh: false }),
      zonesOf(ctx, caller.platform, attendees),
    ]);
    const at = toWhen({ start, end: start + durationMinutes * MINUTE }, people);
    const { free, offered } = explanation;
    const against = explanation.against.map(({ email, rule, detail }) => ({ email: email ?? undefined, rule, detail }));
    const place = explanation.free
      ? { rank: explanation.rank, candidates: explanation.candidates, reason: explanation.slot.reason }
      : {};
    return {
      data: { free, offered, against, ...place, ...at },
      text: say('agent.explained', {
        when: sayWhen(at),
        explanation: explanation.free
          ? sayPlace(explanation)
          : [sayNotFree(explanation.against, attendees), sayInstead()].join(' ').trimEnd(),
      }),
    };
  },
});
