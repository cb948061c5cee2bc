import { z } from 'zod';
import { SHOWN_STATUSES } from '../meetings/read-queries.ts';
import { Instant } from './fields.ts';

/** Query of `GET /v1/users/{email}/meetings`. */
export const UserMeetingsQuery = z
  .object({
    from: Instant.optional(),
    to: Instant.optional(),
    status: z.enum(SHOWN_STATUSES, `must be one of ${SHOWN_STATUSES.join(', ')}`).optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    error: 'must be after from',
  });
