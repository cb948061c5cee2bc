import * as z from 'zod';
import type { ReadWhen } from '../availability/asked-times.ts';
import { sayReading } from '../words/understood.ts';

/** The answer's text says the same in words. */
export const readParts = {
  understood: z.array(z.unknown()).optional(),
  not_understood: z.array(z.string()).optional(),
};

/** Returns the output fields that say how the text in `when` was read. */
export const readData = (read: ReadWhen | undefined) => ({
  understood: read?.understood,
  not_understood: read?.notUnderstood,
});

/** Says for an agent how the text in `when` was read, and what to ask the person again. */
export const readText = (read: ReadWhen | undefined): string[] =>
  read === undefined ? [] : [sayReading(read.understood, read.notUnderstood)];

/** Schema of `time_ranges` as clients see it. */
export const timeRanges = z.array(z.object({ start: z.string(), end: z.string() })).optional();
