import type { Context } from 'hono';
import { beginCheck, takeCheck } from '../../../lib/calendars/check/read-once.ts';
import { AppError } from '../../../lib/kit/errors.ts';
import { checkCalendar, openPage } from '../../../lib/meetings/index.ts';
import type { AppEnv } from '../../http/env.ts';
import { flowName, keepFlow, readFlow } from '../session-cookie.ts';
import type { Message, Seen } from './frame.tsx';
import { bad, hideAddress, info, renderForGuest, renderUnknown, seenAgain, seenAt, warn } from './frame.tsx';
import { type Outcome, renderSeen } from './render.tsx';

const SECONDS = 600;

/** Only the same browser can come back. Its cookie has the path of the proposal's page. */
export async function leaveForCheck(c: Context<AppEnv>, seen: Seen) {
  if (seen.state.kind !== 'open' || seen.proposal.isOtherConnected) return renderSeen(c, seen, { status: 409 });
  const { tokenHash, path, zone, isZoneGiven } = seen;
  const check = { tokenHash, path, zone: isZoneGiven ? zone : undefined };
  const { url, state } = await beginCheck(c.var.ctx, check, seen.proposal.otherEmail);
  await keepFlow(c, await flowName('check', state), path, SECONDS);
  return c.redirect(url, 303);
}

/** Compares the proposed times with their calendar. Returns undefined for another consent. */
export async function returnFromCheck(c: Context<AppEnv>): Promise<Response | undefined> {
  const { code, error, state = '' } = c.req.query();
  const path = await readFlow(c, await flowName('check', state));
  if (path === undefined) return undefined;
  return hideAddress(await finishCheck(c, { code, error, state, path }));
}

type Returned = { code: string | undefined; error: string | undefined; state: string; path: string };

async function finishCheck(c: Context<AppEnv>, { code, error, state, path }: Returned): Promise<Response> {
  const { ctx } = c.var;
  const check = await takeCheck(ctx, state);
  // A second click or a reload brings a person back twice, and the proposal's page is where they belong.
  if (check === 'used') return c.redirect(path, 303);
  if (check === undefined) return renderStale(c);
  const page = await openPage(ctx, check.tokenHash);
  if (page === undefined) return renderUnknown(c);
  const seen = seenAt(c, page, check.path, check.zone);
  const returned = { codeVerifier: check.codeVerifier, code, error, timeZone: seen.zone };
  const checked = await checkCalendar(ctx, page, returned).catch((failure: unknown) => {
    if (failure instanceof AppError) return { refusal: 'requester_unknown' as const };
    throw failure;
  });
  // The proposal may have changed while the person was at the provider, so it is loaded again.
  const now = await seenAgain(c, seen);
  if (now === undefined) return renderUnknown(c);
  if ('refusal' in checked) c.set('refusal', checked.refusal);
  return renderSeen(c, now, now.state.kind === 'open' ? shownCheck(checked) : {});
}

function renderStale(c: Context<AppEnv>) {
  c.set('refusal', 'expired');
  return renderForGuest(
    c,
    { title: 'This check is over', mark: 'info', status: 400 },
    <p>Nothing was read. Open the link that you were sent, and check your calendar once more.</p>,
  );
}

type Checked = Awaited<ReturnType<typeof checkCalendar>> | { refusal: 'requester_unknown' };

function shownCheck(checked: Checked): Outcome {
  if ('refusal' in checked) return { message: NOT_CHECKED[checked.refusal] };
  const { free, others } = checked;
  if (free.length > 0) {
    const text = 'Each time says whether you are free. Tandem kept nothing of your calendar.';
    const message = info('We compared the times with your calendar', text);
    return { message, free: free.map(({ start }) => start) };
  }
  const text =
    others.length > 0
      ? 'Both of you are free at the times listed first. The offered times are still kept for you, further down. Tandem kept nothing of your calendar.'
      : 'We found no other time that suits both of you either. Say below what would suit you. Tandem kept nothing of your calendar.';
  return { message: info('You are busy at all offered times', text), free: [], instead: { times: others, text: '' } };
}

const notChecked = (say: typeof info, text: string) =>
  say('Your calendar was not checked', `${text} You can still choose a time.`);

const NOT_CHECKED: Record<Extract<Checked, { refusal: string }>['refusal'], Message> = {
  access_denied: notChecked(info, 'You did not allow it at Google.'),
  missing_scopes: notChecked(warn, 'The permission to see when you are busy was not ticked at Google.'),
  ended: notChecked(warn, 'Google says that the access has ended already.'),
  calendar_unavailable: notChecked(bad, 'Google did not answer as it should. Try again in a minute.'),
  requester_unknown: notChecked(warn, 'We could not read the other calendar. Try again in a minute.'),
};
