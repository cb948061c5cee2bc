import type { Context } from 'hono';
import type * as z from 'zod';
import { AppError } from '../../../lib/errors.ts';
import { ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { AppEnv } from '../../env.ts';
import { takeFailure } from '../../errors.ts';
import { check } from '../../input.ts';

/** What a form of a page filters by, a field that was left empty being none. */
export const givenOf = (c: Context<AppEnv>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(c.req.query())
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

/** What came of something that may be refused: the refusal is for the page that asked, a failure of ours is not. */
export type Tried<A> = { answer: A; refusal?: undefined } | { answer?: undefined; refusal: Refusal };

export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The field of the request that is wrong, where it is one. */
  field: string | undefined;
  status: 400 | 403 | 404 | 409 | 422 | 429;
}

/** Runs it; a refusal that the person can mend is handed back to be shown where they are. */
export async function attempt<A>(c: Context<AppEnv>, run: () => Promise<A>): Promise<Tried<A>> {
  try {
    return { answer: await run() };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unauthorized') throw error;
    const { status } = ERRORS[error.code];
    if (!MENDABLE.includes(status)) throw error;
    const { code, message, details } = takeFailure(error, c);
    return { refusal: { code, message, field: details.field, status: status as Refusal['status'] } };
  }
}

const MENDABLE: readonly number[] = [400, 404, 409, 422, 429] satisfies Refusal['status'][];

/** Checks what a page was given by the schema that the API has for it. */
export const checked = <S extends z.ZodType>(
  c: Context<AppEnv>,
  schema: S,
  given: unknown,
): Promise<Tried<z.output<S>>> => attempt(c, async () => check(schema, given));
