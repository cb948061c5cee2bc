import type { Context } from 'hono';
import type * as z from 'zod';
import { AppError } from '../../../lib/kit/errors.ts';
import { ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { AppEnv } from '../../http/env.ts';
import { takeFailure } from '../../http/errors.ts';
import { check } from '../../http/input.ts';

/** Returns the list filters in the page's URL, without the filters that were left empty. */
export const givenOf = (c: Context<AppEnv>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(c.req.query())
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

/** The page shows the refusal to the person who sent the form. */
export type Tried<A> = { answer: A; refusal?: undefined } | { answer?: undefined; refusal: FormRefusal };

export interface FormRefusal {
  code: ErrorCode;
  message: string;
  /** Name of the wrong request field, if the refusal is about a field. */
  field: string | undefined;
  status: 400 | 403 | 404 | 409 | 422 | 429 | 500;
}

/** Returns a refusal with one of the statuses `mendable`, which the person can fix. Rethrows every other error. */
export async function attempt<A>(
  c: Context<AppEnv>,
  run: () => Promise<A>,
  mendable: readonly FormRefusal['status'][] = MENDABLE,
): Promise<Tried<A>> {
  try {
    return { answer: await run() };
  } catch (error) {
    if (!(error instanceof AppError) || UNMENDABLE.includes(error.code)) throw error;
    const { status } = ERRORS[error.code];
    if (!mendable.some((one) => one === status)) throw error;
    const { code, message, details } = takeFailure(error, c);
    return { refusal: { code, message, field: details.field, status: status as FormRefusal['status'] } };
  }
}

/** Error codes that no other input would change, so that the page of an error tells them. */
const UNMENDABLE: readonly ErrorCode[] = ['unauthorized', 'internal_error'];

const MENDABLE: readonly FormRefusal['status'][] = [400, 404, 409, 422, 429];
/** Changes require a recently made link, and 403 refuses those of an older one. */
export const OR_STALE_LINK: readonly FormRefusal['status'][] = [...MENDABLE, 403];

/** The person can send the form again. A 500 reports a calendar that did not answer. */
export const OR_CALENDAR: readonly FormRefusal['status'][] = [...MENDABLE, 500];

/** The page and the API accept the same input. Returns a refusal for the page to show. */
export const checked = <S extends z.ZodType>(
  c: Context<AppEnv>,
  schema: S,
  given: unknown,
): Promise<Tried<z.output<S>>> => attempt(c, async () => check(schema, given));
