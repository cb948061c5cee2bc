import { Hono } from 'hono';
import { MINUTE, parseDate } from '../../../lib/engine/time/dates.ts';
import { formatInZone, instantsAt, startOfDay } from '../../../lib/engine/time/zone.ts';
import { REPLAYS_PER_HOUR, replaySince } from '../../../lib/webhooks/replay.ts';
import { MOST_RESENT, type Resent, resendSelected, resendUndelivered } from '../../../lib/webhooks/resend.ts';
import * as api from '../../../schema/api/webhook-deliveries.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { clockOf } from '../clock.tsx';
import { PATH, pageFilter } from './delivery-filters.tsx';
import { renderLog } from './delivery-list.tsx';
import { many } from './parts.tsx';
import { attempt, givenOf } from './query.ts';
import { currentPlatform, form, isFirst, page } from './session.ts';

export const webhooks = new Hono<AppEnv>();

const SENT_BEFORE = { done: 'You already sent this form, so nothing was sent a second time.' };

page(webhooks, PATH, (c) => renderLog(c));

form(webhooks, `${PATH}/resend-selected`, async (c, given) => {
  if (!(await isFirst(c, given))) return renderLog(c, SENT_BEFORE);
  const { answer, refusal } = await attempt(c, () =>
    resendSelected(c.var.ctx, currentPlatform(c).id, given.getAll('id')),
  );
  return renderLog(c, answer === undefined ? { refusal } : { done: resentWords(answer) });
});

form(webhooks, `${PATH}/resend-failed`, async (c, given) => {
  if (!(await isFirst(c, given))) return renderLog(c, SENT_BEFORE);
  const { answer, refusal } = await attempt(c, async () => {
    const { limit: _, after: __, ...filter } = check(pageFilter(clockOf(c).zone), givenOf(c));
    return resendUndelivered(c.var.ctx, { ...filter, platformId: currentPlatform(c).id });
  });
  if (answer === undefined) return renderLog(c, { refusal });
  const more =
    answer < MOST_RESENT ? '' : ` These are the oldest ${MOST_RESENT}. If others are left, resend them next.`;
  return renderLog(c, {
    done:
      answer === 0
        ? 'Nothing was sent, because each of these events has been sent again already.'
        : `${many(answer, 'event is', 'events are')} being sent again.${more}`,
  });
});

form(webhooks, `${PATH}/resend`, async (c, given) => {
  const { zone } = clockOf(c);
  if (!(await isFirst(c, given))) return renderLog(c, SENT_BEFORE);
  const { answer, refusal } = await attempt(c, () => {
    const asked = check(api.WebhookReplayRequest, {
      since: sinceOf(given, zone),
      status: given.get('status') || undefined,
    });
    return replaySince(c.var.ctx, currentPlatform(c).id, asked);
  });
  if (answer === undefined) return renderLog(c, { refusal, since: given.get('since') ?? '' });
  const { replayed, nextSince } = answer;
  const more =
    nextSince === undefined ? '' : ' There are more. To continue, resend from the time that the field below has now.';
  return renderLog(c, {
    done:
      replayed === 0
        ? 'There was nothing to resend.'
        : `${many(replayed, 'event is', 'events are')} being resent.${more}`,
    ...(nextSince === undefined ? {} : { since: inField(nextSince, zone), sinceExactly: nextSince }),
  });
});

/** Writes an instant as the field for a day and a time does, on the page's clock: "2026-12-02T15:00". */
const inField = (instant: number, zone: string) => formatInZone(zone, instant).slice(0, 16);

/**
 * Counts the first of a time that the page's clock shows twice, so that no event is missed, and a skipped time as if it
 * were not. What the page filled in means its instant, to the millisecond. Anything else is for the check to reject.
 */
function sinceOf(given: URLSearchParams, zone: string): string {
  const typed = given.get('since') ?? '';
  const filledIn = Number(given.get('since_exactly') ?? Number.NaN);
  if (Number.isSafeInteger(filledIn) && Math.abs(filledIn) < 8e15 && inField(filledIn, zone) === typed)
    return new Date(filledIn).toISOString();
  const [, date = '', hours, minutes] = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)$/.exec(typed) ?? [];
  const day = parseDate(date);
  if (day === undefined) return typed;
  const minute = Number(hours) * 60 + Number(minutes);
  const [first = startOfDay(zone, day) + minute * MINUTE] = instantsAt(zone, day, minute);
  return new Date(first).toISOString();
}

/** Says how many of the selected deliveries are sent again, and why the others are not. */
function resentWords({ selected, sent, newer, pending, over, tests, gone }: Resent): string {
  if (sent === selected) return `${many(sent, 'event is', 'events are')} being sent again.`;
  const reasons = [
    newer > 0 ? `${newer} ${newer === 1 ? 'has' : 'have'} a newer delivery` : '',
    pending > 0 ? `${pending} ${pending === 1 ? 'is' : 'are'} still being sent` : '',
    over > 0
      ? `${over} ${over === 1 ? 'exceeds' : 'exceed'} your ${REPLAYS_PER_HOUR.toLocaleString('en')} an hour`
      : '',
    tests > 0 ? `${many(tests, 'is a test', 'are tests')}` : '',
    gone > 0 ? `${gone} ${gone === 1 ? 'is' : 'are'} not in the log any more` : '',
  ].filter((reason) => reason !== '');
  return `${sent} of ${selected} ${sent === 1 ? 'is' : 'are'} being sent again; ${reasons.join(', ')}.`;
}
