import * as z from 'zod';
import type { ErrorCode } from '../../lib/errors.ts';
import { Slot } from '../../schema/api/answers/scheduling.ts';
import { isNested, TABLE } from '../errors.ts';

const NESTED_PATH = '/v1/availability';

export const ERROR_CODES = Object.keys(TABLE) as ErrorCode[];
const titles = ERROR_CODES.map((code) => TABLE[code].title);

const facts = {
  message: z.string().describe('What to do; with a status from 500 on it names the request'),
  field: z.string().optional().describe('The offending field'),
  email: z.string().optional().describe('The person it is about'),
};

/** Errors of availability, scheduling, meetings and jobs (`interface.md`, Errors). */
export const NestedError = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES.filter((code) => isNested(NESTED_PATH, TABLE[code].status))),
    ...facts,
    alternatives: z.array(Slot).optional().describe('Only with slot_unavailable: free times, best first'),
  }),
});

/** Errors everywhere else, and 401 and 403 everywhere. */
export const FlatError = z.object({ error: z.enum(titles), ...facts });

/** The flat answer of every 429. */
export const LimitError = FlatError.extend({
  limit: z.int().optional(),
  used: z.int().optional(),
  resets_at: z.string().describe('ISO 8601 in UTC'),
});
