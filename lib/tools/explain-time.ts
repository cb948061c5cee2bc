import * as z from 'zod';
import { ExplainRequest } from '../../schema/api/availability.ts';
import { explainAvailability } from '../availability/search.ts';
import { MINUTE } from '../engine/time/dates.ts';
import { sayNotFree, sayPlace } from '../words/explanation.ts';
import { say } from '../words/patterns.ts';
import { readingTool } from './tool.ts';
import { sayWhen, time, toWhen, when, zonesOf } from './when.ts';

export const explainTime = readingTool({
  name: 'explain_time',
  title: 'Explain why a time is free or not',
  description: "Returns whose rules exclude a time, or the time's rank.",
  for: 'platform',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
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
    const { attendees, start_time: start, duration_minutes: durationMinutes, date_range: range } = input;
    const [{ explanation, sayInstead }, people] = await Promise.all([
      explainAvailability(ctx, caller.platform, {
        attendees,
        start,
        durationMinutes,
        dateRange: range && { startDate: range.start_date, endDate: range.end_date },
        isFresh: false,
      }),
      zonesOf(ctx, caller.platform, attendees),
    ]);
    const at = toWhen({ start, end: start + durationMinutes * MINUTE }, people);
    const { free, offered, against } = explanation;
    const place = explanation.free
      ? { rank: explanation.rank, candidates: explanation.candidates, reason: explanation.slot.reason }
      : {};
    return {
      data: {
        free,
        offered,
        against: against.map(({ email, rule, detail }) => ({ email: email ?? undefined, rule, detail })),
        ...place,
        ...at,
      },
      text: say('agent.explained', {
        when: sayWhen(at),
        explanation: explanation.free
          ? sayPlace(explanation)
          : [sayNotFree(explanation.against, attendees), sayInstead()].join(' ').trimEnd(),
      }),
    };
  },
});
