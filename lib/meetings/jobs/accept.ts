import { insistOnKey } from '../../../schema/access/api-keys.ts';
import { batch, refusalOf } from '../../../schema/db.ts';
import { insertJob } from '../../../schema/meetings/jobs.ts';
import { type TimesAsked, type TimesGiven, timesReader } from '../../availability/asked-times.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { userGone } from '../../kit/errors.ts';
import { MEETINGS_PER_MONTH } from '../../kit/plans.ts';
import { loadBothConnected } from '../../person/load.ts';
import { bothInKnownZones } from '../../person/person.ts';
import { monthOf, quotaExceeded } from '../../usage/usage.ts';
import { inBytes, keepAtOnce, type Request, toAcceptedAnswer } from '../protocol/kept-answer.ts';
import { type JobRequest, newJobId, publishJob } from './job.ts';

interface Given extends Request {
  times?: TimesGiven | undefined;
}

/**
 * Reads on the first attendee's clock. Loads the two people only for a text. Throws the errors of `timesReader`,
 * `user_not_found`, `calendar_reconnect_required` and `unknown_time_zone`.
 */
export async function readAsked(
  ctx: Ctx,
  platform: PlatformRef,
  { attendees, durationMinutes, times }: Pick<JobRequest, 'attendees' | 'durationMinutes'> & { times: TimesGiven },
): Promise<TimesAsked | undefined> {
  const read = timesReader(ctx, times);
  if (times.when === undefined) return read({ timeZone: 'UTC' }, durationMinutes);
  const [requester] = bothInKnownZones(await loadBothConnected(ctx, platform, attendees));
  return read(requester, durationMinutes);
}

/**
 * Serves `POST /v1/schedule/auto`. The batch checks the caller's API key too. Throws `unauthorized`, `user_not_found`,
 * `calendar_reconnect_required`, `quota_exceeded`, and Postgres' refusal of a used idempotency key.
 */
export async function acceptJob(
  ctx: Ctx,
  platform: PlatformRef,
  given: Omit<JobRequest, 'asked'>,
  { idempotency, warnings, times = {} }: Given,
) {
  const now = ctx.clock.now();
  const { attendees, durationMinutes } = given;
  const id = newJobId(ctx.ids, attendees[0]);
  const { read, words, ranges } = (await readAsked(ctx, platform, { attendees, durationMinutes, times })) ?? {};
  const answer = toAcceptedAnswer(id, read, warnings);
  // The job's result and webhooks quote nobody.
  const asked = { ranges, words: words && { ...words, quotes: [] } };
  const request: JobRequest = { ...given, ...((words ?? ranges) && { asked }) };
  const { credential } = ctx.actor;
  try {
    await batch(ctx.db, {
      // Comes first, so that a caller whose key no longer works learns nothing else, not even an earlier answer.
      ...(credential !== undefined &&
        'key' in credential && { key: insistOnKey(ctx.db, { hash: credential.key, now }) }),
      ...(idempotency && { kept: keepAtOnce(ctx, idempotency, inBytes(202, answer), id) }),
      accepted: insertJob(ctx.db, {
        id,
        platformId: platform.id,
        attendees,
        request,
        month: monthOf(now),
        quotas: MEETINGS_PER_MONTH,
        now,
      }),
    });
  } catch (error) {
    switch (refusalOf(error)) {
      case 'not_connected':
        await loadBothConnected(ctx, platform, attendees);
        throw error;
      case 'quota_exhausted':
        throw await quotaExceeded(ctx, platform);
      case 'credential_ended':
        throw userGone();
      default:
        throw error;
    }
  }
  ctx.later(publishJob(ctx, { id, platformId: platform.id }));
  return answer;
}
