import { fromZonedTime } from 'date-fns-tz';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { parseDate } from '../scheduling/dates.ts';
import { formatInZone } from '../scheduling/zone.ts';
import { listed } from '../wording/people.ts';
import type { ToolCaller } from './tool.ts';
import { zonesOf } from './when.ts';

const ZONELESS = /^\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;

/** A refusal of a time without an offset says what to send instead, on the clocks of those whom the arguments name. */
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
  const forThem = people.flatMap(({ email: whose, timeZone }) =>
    timeZone === undefined
      ? []
      : [`${formatInZone(timeZone, fromZonedTime(clock, timeZone).getTime())} for the clock of ${whose} (${timeZone})`],
  );
  const utc = `${new Date(`${clock}Z`).toISOString().replace('.000Z', 'Z')} for UTC`;
  const message = `${field} has no offset, so it could be any zone's ${clock.slice(11, 16)}. Send ${listed([...forThem, utc], 'or')}.`;
  return new AppError(refusal.code, message, refusal.details);
}

/** As far as the clocks of zones are asked for. */
const isDate = (date: string) => parseDate(date) !== undefined && date >= '1970' && date < '2200';
