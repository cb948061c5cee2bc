import * as z from 'zod';

const weight = z.number().min(0.2).max(2).optional();

/** Weights that free text was read as, each 0.2 to 2; what the text says nothing about is left out. */
export const ModelWeights = z.strictObject({
  time_of_day_preference: z.strictObject({ morning: weight, afternoon: weight, evening: weight }).optional(),
  day_of_week_preference: z
    .strictObject({
      monday: weight,
      tuesday: weight,
      wednesday: weight,
      thursday: weight,
      friday: weight,
      saturday: weight,
      sunday: weight,
    })
    .optional(),
  buffer_importance: weight,
});
export type ModelWeights = z.infer<typeof ModelWeights>;
