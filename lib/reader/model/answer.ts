import * as z from 'zod';
import { MEETING_CONTEXTS } from '../../engine/rank/contexts.ts';

const quote = z.string().min(1).max(1_000).describe('The words of the text that this rests on, copied exactly.');
const date = z.iso.date();
const clock = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/);
const weekday = z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']);
const zone = z.string().max(60).nullish().describe('The clock of these hours, if the text names one: "CET", "London".');

const hours = {
  weekdays: z.array(weekday).max(7).nullish().describe('Weekdays that recur, for "Tuesdays". Leave out for one date.'),
  from: clock.nullish().describe('HH:MM at which the hours begin. Leave out for the whole day.'),
  to: clock.nullish().describe('HH:MM at which the hours end, 24:00 at most.'),
  zone,
};
const times = {
  first_date: date.nullish().describe('The first date, copied from the calendar. Leave out for any date.'),
  last_date: date.nullish().describe('The last date. The same as first_date for one day, left out for an open end.'),
  ...hours,
};

export const ModelWanted = z.strictObject({
  quote,
  ...times,
  at: clock.nullish().describe('HH:MM at which the meeting starts, for "4pm instead". Then leave out from and to.'),
  around: clock.nullish().describe('HH:MM near which it starts, for "4ish". Then leave out from and to.'),
  only: z.boolean().nullish().describe('true if no other time will do.'),
  otherwise: z.boolean().nullish().describe('true if it is meant only if the parts before it are not free.'),
});
export const ModelRefused = z.strictObject({
  quote,
  ...times,
  unbroken: z.boolean().nullish().describe('true for one stretch from `from` on the first date to `to` on the last.'),
});
export const ModelMove = z.strictObject({
  quote,
  direction: z.enum(['earlier', 'later']),
  what: z.enum(['clock', 'day', 'time']).describe('clock: another hour. day: another day. time: either of them.'),
  minutes: z.int().min(1).max(1_440).nullish(),
  days: z.int().min(1).max(180).nullish(),
});
export const ModelSoon = z.strictObject({ quote, when: z.enum(['sooner', 'soonest']) });
export const ModelRule = z.strictObject({
  quote,
  verdict: z.enum(['never', 'rather_not', 'prefer', 'only', 'allowed']).nullish(),
  ...hours,
  meetings: z.array(z.enum(MEETING_CONTEXTS)).nullish().describe('The kinds of meeting it is said of, if not all.'),
  since: date.nullish().describe('The first date on which the rule holds, if the text gives one.'),
  until: date.nullish().describe('The last date on which it holds, if the text gives one.'),
  pause_minutes: z.int().min(0).max(120).nullish().describe('The pause wanted between meetings, 0 if it says none.'),
  most_per_day: z.int().min(1).max(10).nullish(),
});

export const ModelReading = z.strictObject({
  asks_for_nothing: z.boolean(),
  wanted: z.array(ModelWanted).max(8),
  refused: z.array(ModelRefused).max(8),
  moves: z.array(ModelMove).max(4),
  soon: ModelSoon.nullish(),
  standing: z.array(ModelRule).max(12),
  cancels: quote.nullish().describe('Words that ask to cancel the meeting and not to move it.'),
  length: quote.nullish().describe('Words that ask for another length of the meeting.'),
  not_understood: z.array(quote).max(8),
});
export type ModelReading = z.infer<typeof ModelReading>;

export const readingSchema = (): object => z.toJSONSchema(ModelReading);

/** The parts of a language model's answer that fit their schema. `misshapen` has the quotes of the parts that do not. */
export type ParsedReading = Omit<ModelReading, 'asks_for_nothing'> & { misshapen: string[] };

const MOST_PARTS = 12;

export function parseReading(answer: unknown): ParsedReading | undefined {
  const { data: whole = {} } = z.looseObject({}).safeParse(answer);
  if (!Object.keys(ModelReading.shape).some((name) => name in whole)) return undefined;
  const misshapen: string[] = [];
  const fitting = <T>(schema: z.ZodType<T>, name: keyof ModelReading): T[] => {
    const parts = [whole[name] ?? []].flat();
    return parts.slice(0, MOST_PARTS).flatMap((part) => {
      const parsed = schema.safeParse(part);
      if (parsed.success) return [parsed.data];
      const quoted = z.looseObject({ quote }).safeParse(part);
      if (quoted.success) misshapen.push(quoted.data.quote);
      return [];
    });
  };
  return {
    wanted: fitting(ModelWanted, 'wanted'),
    refused: fitting(ModelRefused, 'refused'),
    moves: fitting(ModelMove, 'moves'),
    soon: fitting(ModelSoon, 'soon')[0],
    standing: fitting(ModelRule, 'standing'),
    cancels: fitting(quote, 'cancels')[0],
    length: fitting(quote, 'length')[0],
    not_understood: fitting(quote, 'not_understood'),
    misshapen,
  };
}
