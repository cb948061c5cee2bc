import { type Context, Hono } from 'hono';
import { cancelOwnMeeting, proposeOwnMove, readMyMeetings, type Unmoved } from '../../../lib/meetings/index.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { rescheduleMeeting } from '../../../schema/api/meeting-changes.ts';
import { listMeetings } from '../../../schema/api/meetings.ts';
import { formatCursor } from '../../../schema/api/paging.ts';
import type { AppEnv } from '../../http/env.ts';
import { doneIn, redirectDone } from '../done.ts';
import { areShown } from '../proposal/counter.tsx';
import { sayUnread } from '../proposal/no-other-times.tsx';
import { renderMine } from './frame.tsx';
import { type Done, MeetingsPage, type Rejected } from './meetings.tsx';
import { form, type MySession, page, refuseStale } from './session.tsx';

const PATH = '/me/meetings';

export const meetings = new Hono<AppEnv>();

page(meetings, PATH, (c, session) => renderMeetings(c, session));

/** Answers with a person's meetings. With `rejected`, shows the text that they typed, and says what is wrong with it. */
async function renderMeetings(
  c: Context<AppEnv>,
  { userId, csrf }: MySession,
  rejected?: Rejected,
  status: 200 | 400 | 409 = rejected === undefined ? 200 : 400,
) {
  const { cursor: after } = listMeetings.query.safeParse({ cursor: c.req.query('cursor') }).data ?? {};
  const mine = await readMyMeetings(c.var.ctx, { userId, after });
  const later = mine?.next && `${PATH}?cursor=${formatCursor(mine.next)}`;
  const done = rejected === undefined ? await doneIn(c, csrf) : undefined;
  return (
    mine &&
    renderMine(
      c,
      { title: 'Your meetings', at: PATH, me: { email: mine.email, csrf }, status },
      <MeetingsPage {...mine} {...{ later, done: knownDone(done), rejected, csrf }} />,
    )
  );
}

const knownDone = (text: string | undefined): Done | undefined =>
  text === 'cancelled' || text === 'kept' || text === 'proposed' || text === 'unread' ? text : undefined;

form(meetings, `${PATH}/cancel`, async (c, { userId, csrf }, given) =>
  answer(c, csrf, await cancelOwnMeeting(c.var.ctx, { userId, ...seenIn(given) })),
);

form(meetings, `${PATH}/propose`, async (c, session, given) => {
  const seen = seenIn(given);
  const text = given.get('reason') ?? '';
  const starts = given.getAll('start').map(Number);
  if (starts.length > 0 && !areShown(starts, c.var.ctx.clock.now())) return answer(c, session.csrf, 'changed');
  const { data: reason } = rescheduleMeeting.body.shape.reason.safeParse(text);
  if (reason === undefined && starts.length === 0) {
    const error = text.trim() === '' ? NOTHING_WRITTEN : TOO_LONG;
    return renderMeetings(c, session, { id: seen.id, text: text.toWellFormed(), error });
  }
  const wish = reason === undefined ? { starts } : { reason };
  const outcome = await proposeOwnMove(c.var.ctx, { userId: session.userId, ...seen, wish });
  if (typeof outcome === 'string') return answer(c, session.csrf, outcome);
  c.set('refusal', outcome.kind === 'taken' ? 'slot_unavailable' : 'reason_unclear');
  return renderMeetings(c, session, { id: seen.id, text, ...told(outcome) }, 409);
});

/** Says why nothing was changed, with the free times to choose instead. */
function told(outcome: Unmoved): Pick<Rejected, 'error' | 'nearest'> {
  if (outcome.kind === 'cancels')
    return {
      error: `${quotedWords(outcome.words)} asks for no other time. Nothing was changed. To cancel the meeting, open “Cancel” below.`,
    };
  const { nearest } = outcome;
  const choices = nearest.length === 0 ? '' : ', or take free times below';
  return outcome.kind === 'taken'
    ? { error: `Those times have just gone. Nothing was changed. Ask for other times${choices}.`, nearest }
    : { error: `${sayUnread(outcome.words)}${choices}. Nothing was changed.`, nearest };
}

const NOTHING_WRITTEN = 'Write a day or an hour that suits you, such as “Thursday afternoon”. Nothing was sent yet.';
const TOO_LONG = 'Write at most 1,000 characters. Nothing was sent yet.';

const seenIn = (given: URLSearchParams) => ({ id: given.get('id') ?? '', seenStart: Number(given.get('seen')) });

function answer(c: Context<AppEnv>, csrf: string, outcome: Done | 'changed') {
  if (outcome !== 'changed') return redirectDone(c, csrf, `${PATH}?done=${outcome}`);
  return refuseStale(c, CHANGED, { path: PATH, title: 'Your meetings' }, 409);
}

const CHANGED =
  'This meeting has changed since you opened the page, or it can no longer be moved. Look at your meetings and try again there.';
