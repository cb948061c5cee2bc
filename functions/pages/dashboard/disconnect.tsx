import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { connectedSince, disconnect, disconnectedAt } from '../../../lib/calendars/disconnect.ts';
import { insistOnFreshLink, isFresh } from '../../../lib/platforms/dashboard-session.ts';
import { Email } from '../../../schema/api/fields.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { At } from '../clock.tsx';
import { HiddenFields, Notice } from '../components.tsx';
import { Csrf, renderDashboard } from './frame.tsx';
import { attempt, type FormRefusal, OR_STALE_LINK } from './query.ts';
import { currentPlatform, form, openedSession, page } from './session.ts';

const PEOPLE = '/dashboard/people';
const PATH = `${PEOPLE}/disconnect`;

const Asked = z.object({ user_email: Email });

export const disconnectPerson = new Hono<AppEnv>();

page(disconnectPerson, PATH, async (c) => {
  const { ctx } = c.var;
  const { answer, refusal } = await attempt(c, async () =>
    check(Asked, { user_email: c.req.query('user_email') ?? '' }),
  );
  await ctx.admitted;
  if (answer === undefined) return renderRefusal(c, refusal);
  const { user_email: email } = answer;
  const since = await connectedSince(ctx, { platformId: currentPlatform(c).id, email });
  return renderDashboard(
    c,
    { title: `Disconnect ${email}?`, at: PEOPLE },
    isFresh(ctx, openedSession(c)) ? (
      <>
        <ul>
          <li>
            Every platform that this person uses Tandem with loses access to their calendar and is notified, not only
            yours.
          </li>
          <li>Meetings stay as they are.</li>
          <li>To come back, the person has to allow access again.</li>
        </ul>
        <form method="post" action={PATH}>
          <Csrf csrf={c.var.session.csrf} />
          <HiddenFields fields={{ user_email: email, connected_at: String(since) }} />
          <p class="actions">
            <button type="submit" class="danger">
              Disconnect now
            </button>{' '}
            <a href={PEOPLE}>Keep them connected</a>
          </p>
        </form>
      </>
    ) : (
      <p>
        To disconnect somebody, open the dashboard with a link that was made within ten minutes. Get a new link from
        where you got the last one. <a href={PEOPLE}>Back to the people</a>
      </p>
    ),
  );
});

form(disconnectPerson, PATH, async (c, given) => {
  const { answer, refusal } = await attempt(
    c,
    async () => {
      insistOnFreshLink(c.var.ctx, openedSession(c));
      const { user_email: email } = check(Asked, { user_email: given.get('user_email') ?? '' });
      const connectedAt = given.get('connected_at') ?? '';
      await disconnect(c.var.ctx, { platformId: currentPlatform(c).id, email, connectedAt });
      return email;
    },
    OR_STALE_LINK,
  );
  if (answer === undefined) return (await renderDisconnectedBefore(c, given, refusal)) ?? renderRefusal(c, refusal);
  return renderDashboard(
    c,
    { title: `${answer} is disconnected`, at: PEOPLE },
    <p>
      Every platform lost access to this calendar. <a href={PEOPLE}>Back to the people</a>
    </p>,
  );
});

/** Says that the person is disconnected already, such as by the same form. Returns undefined for any other refusal. */
async function renderDisconnectedBefore(c: Context<AppEnv>, given: URLSearchParams, { code }: FormRefusal) {
  if (code !== 'connection_not_found') return undefined;
  const { user_email: email } = check(Asked, { user_email: given.get('user_email') ?? '' });
  const at = await disconnectedAt(c.var.ctx, { platformId: currentPlatform(c).id, email });
  if (at === undefined) return undefined;
  return renderDashboard(
    c,
    { title: `${email} is disconnected already`, at: PEOPLE },
    <p>
      Your platform lost access to this calendar on <At ms={at} />. <a href={PEOPLE}>Back to the people</a>
    </p>,
  );
}

const renderRefusal = (c: Context<AppEnv>, { status, message }: FormRefusal) =>
  renderDashboard(
    c,
    { title: 'Nobody was disconnected', at: PEOPLE, status },
    <>
      <Notice kind="bad">{message}</Notice>
      <p>
        <a href={PEOPLE}>Back to the people</a>
      </p>
    </>,
  );
