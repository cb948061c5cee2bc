import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import { DAY, MINUTE, parseDate } from '../engine/time/dates.ts';
import { formatInZone, instantsAt } from '../engine/time/zone.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import { say } from '../words/patterns.ts';
import { listed } from '../words/people.ts';
import type { ToolCaller } from './tool.ts';
import { zonesOf } from './when.ts';

const ZONELESS = /^\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;

/** Suggests the same clock time in the zone of each person in the arguments, and in UTC. Leaves other refusals. */
export async function withOffsets(ctx: Ctx, caller: ToolCaller, args: object, refusal: AppError): Promise<AppError> {
  const { field = '' } = refusal.details;
  const time = field
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], args);
  if (typeof time !== 'string' || !ZONELESS.test(time) || !isDate(time.slice(0, 10))) return refusal;
  const { attendees, requested_by, email } = args as Record<string, unknown>;
  const named = [attendees, requested_by, email].flat().filter((one) => typeof one === 'string');
  const people = caller.kind === 'platform' ? await zonesOf(ctx, caller.platform, named) : [];
  const clock = time.replace(/[Tt ]/, 'T');
  const wall = Date.parse(`${clock}Z`);
  const day = Math.floor(wall / DAY);
  const forThem = people.flatMap(({ email: whose, timeZone }) =>
    timeZone === undefined
      ? []
      : instantsAt(timeZone, day, (wall - day * DAY) / MINUTE).map((instant) =>
          say('agent.for_clock', { time: formatInZone(timeZone, instant), email: whose, zone: timeZone }),
        ),
  );
  const utc = say('agent.for_utc', { time: isoUtc(wall) });
  const times = listed([...forThem, utc], 'or');
  const message = `${say('agent.no_zone', { field, clock: clock.slice(11, 16) })} ${say('agent.send', { times })}`;
  return new AppError(refusal.code, message, refusal.details);
}

/** Returns true for a valid date from 1970 to 2199, the years for which time zone offsets can be computed. */
const isDate = (date: string) => parseDate(date) !== undefined && date >= '1970' && date < '2200';
