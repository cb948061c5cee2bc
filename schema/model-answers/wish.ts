import * as z from 'zod';

const date = z.iso.date();
const dates = z.array(date).max(31).nullish();
const clock = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/);
const weekdays = z
  .array(z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']))
  .max(7)
  .nullish();

/** What free text was read to ask of a meeting's new time; what it says nothing about is left out, null or empty. */
export const ModelWish = z.strictObject({
  earliest_date: date.nullish(),
  latest_date: date.nullish(),
  dates,
  dates_unwanted: dates,
  weekdays_wanted: weekdays,
  weekdays_unwanted: weekdays,
  clock_from: clock.nullish(),
  clock_to: clock.nullish(),
  clock_unwanted: z.strictObject({ from: clock, to: clock }).nullish(),
  clock_time: z.enum(['earlier', 'later']).nullish(),
  shift_minutes: z.int().min(5).max(720).nullish(),
  sooner: z.enum(['sooner', 'soonest']).nullish(),
  more_time: z.boolean().nullish(),
});
export type ModelWish = z.infer<typeof ModelWish>;
