import type { Context } from 'hono';
import type * as z from 'zod';
import { AppError } from '../../../lib/kit/errors.ts';
import { ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { AppEnv } from '../../env.ts';
import { takeFailure } from '../../errors.ts';
import { check } from '../../input.ts';

/** Returns the list filters in the page's URL, without the filters that were left empty. */
export const givenOf = (c: Context<AppEnv>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(c.req.query())
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

/** Result of `attempt`: the answer, or a refusal that the page shows to the person who sent the form. */
export type Tried<A> = { answer: A; refusal?: undefined } | { answer?: undefined; refusal: FormRefusal };

export interface FormRefusal {
  code: ErrorCode;
  message: string;
  /** Name of the wrong request field, if the refusal is about a field. */
  field: string | undefined;
  status: 400 | 403 | 404 | 409 | 422 | 429;
}

/**
 * Runs `run` and returns its answer, or a refusal that the person can fix, so that the page can show it. Rethrows every
 * other error. `mendable` lists the statuses of such refusals.
 */
export async function attempt<A>(
  c: Context<AppEnv>,
  run: () => Promise<A>,
  mendable: readonly FormRefusal['status'][] = MENDABLE,
): Promise<Tried<A>> {
  try {
    return { answer: await run() };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unauthorized') throw error;
    const { status } = ERRORS[error.code];
    if (!mendable.some((one) => one === status)) throw error;
    const { code, message, details } = takeFailure(error, c);
    return { refusal: { code, message, field: details.field, status: status as FormRefusal['status'] } };
  }
}

const MENDABLE: readonly FormRefusal['status'][] = [400, 404, 409, 422, 429];
/**
 * HTTP statuses of the refusals that `attempt` shows on a page whose change requires a recently made dashboard link.
 * 403 is the refusal of a change through an older link.
 */
export const OR_STALE_LINK: readonly FormRefusal['status'][] = [...MENDABLE, 403];

/** Checks a page's input against a schema of the API, so that the page and the API accept the same input. */
export const checked = <S extends z.ZodType>(
  c: Context<AppEnv>,
  schema: S,
  given: unknown,
): Promise<Tried<z.output<S>>> => attempt(c, async () => check(schema, given));
