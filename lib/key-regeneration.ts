import type { Ctx } from './context.ts';
import { AppError } from './errors.ts';

/** A key that took another's place stays for so long (decisions, Keys). */
export const REPLACED_ONCE_MS = 3_600_000;

/** Until when no key may take the place of one that was made then; undefined once one may. */
export function waitsUntil(ctx: Pick<Ctx, 'clock'>, replacedAt: number | null): number | undefined {
  const until = (replacedAt ?? 0) + REPLACED_ONCE_MS;
  return until > ctx.clock.now() ? until : undefined;
}

/** The 429 of a key that is asked for too early. */
export const tooManyRegenerations = (ctx: Pick<Ctx, 'clock'>, until: number) =>
  new AppError(
    'too_many_regenerations',
    `A key can be replaced once an hour. The next can be made ${fromThen(until)}.`,
    {
      retryAfterSeconds: (until - ctx.clock.now()) / 1_000,
      body: { limit: 1, used: 1, resets_at: new Date(until).toISOString() },
    },
  );

/** "from 14:05 UTC on", never too early. */
export const fromThen = (instant: number) =>
  `from ${new Date(Math.ceil(instant / 60_000) * 60_000).toISOString().slice(11, 16)} UTC on`;
