import { type Context, Hono } from 'hono';
import { chooseCalendars } from '../../../lib/calendars/choose.ts';
import { endAccess } from '../../../lib/calendars/disconnect.ts';
import type { Ctx } from '../../../lib/kit/context.ts';
import { hasCode } from '../../../lib/kit/errors.ts';
import { STAYS } from '../../../lib/kit/kept-for.ts';
import { leavePages, onceIn, secretOfForm } from '../../../lib/kit/page-session.ts';
import { readLearning, resetLearning, undoLearning } from '../../../lib/learning/ledger.ts';
import { endOwnProposal } from '../../../lib/meetings/index.ts';
import { deleteUser } from '../../../lib/people/account/erase.ts';
import { exportUser } from '../../../lib/people/account/export.ts';
import { endAgent } from '../../../lib/people/agents.ts';
import { myPage, myPlatform, whoAmI } from '../../../lib/people/own-page.ts';
import { removeRule } from '../../../lib/people/preferences.ts';
import { makeUserKey, revokeKey } from '../../../lib/people/regenerate-key.ts';
import { getLearning } from '../../../schema/api/own-user.ts';
import { storable } from '../../http/body-fields.ts';
import type { AppEnv } from '../../http/env.ts';
import { rateLimitByIp } from '../../middleware/rate-limit.ts';
import { sameOrigin } from '../../middleware/request.ts';
import { toExportAnswer } from '../../v1/user.ts';
import { LinkLine, PostForm } from '../components.tsx';
import { isolated, MessagePage, renderFailure, renderPage } from '../layout.tsx';
import { currentSession, doneIn, type MySession, redirectDone, signOut } from '../session-cookie.ts';
import { LearningPage, RULE_PAGES } from './learning.tsx';
import { meetings } from './meetings.tsx';
import { Overview } from './overview.tsx';
import { preferences } from './preferences.tsx';
import { form, page, refuseStale, renderMine, signInFirst } from './session.tsx';

export const me = new Hono<AppEnv>();

me.onError((error, c) => (hasCode(error, 'unauthorized') ? signInFirst(c) : renderFailure(error, c)));
me.use('/me/*', rateLimitByIp(), sameOrigin());
me.route('/', preferences);
me.route('/', meetings);

page(me, '/me', (c, session) => renderOverview(c, session));

async function renderOverview(c: Context<AppEnv>, { userId }: MySession, { unticked = false } = {}) {
  const own = await myPage(c.var.ctx, userId);
  const isSaved = !unticked && (await doneIn(c)) !== undefined;
  if (own === undefined) return undefined;
  const framed = { title: 'Your page', at: '/me', email: own.email, status: unticked ? 400 : 200 } as const;
  return renderMine(c, framed, <Overview {...own} {...{ unticked, isSaved }} />);
}

page(me, '/me/disconnect', async (c, { userId }) => {
  const mine = await myPlatform(c.var.ctx, { userId, platformId: c.req.query('platform_id') ?? '' });
  if (mine === undefined) return undefined;
  const { email, platform } = mine;
  if (platform === undefined) return c.redirect('/me');
  const { platformId, platformName, connectedAt } = platform;
  const fields = { platform_id: platformId, connected_at: String(connectedAt) };
  return renderMine(
    c,
    { title: `Disconnect ${isolated(platformName)}?`, at: '/me', email },
    <>
      <ul>
        <li>
          <bdi>{platformName}</bdi> loses access to your calendar at once and is notified. To get access again, the
          platform has to ask you.
        </li>
        <li>Meetings that this platform made stay on your calendar.</li>
        <li>Other platforms keep the access they have.</li>
      </ul>
      <div class="actions">
        <PostForm action="/me/disconnect" fields={fields} kind="danger">
          Disconnect
        </PostForm>
        <a href="/me">Keep it connected</a>
      </div>
    </>,
  );
});

form(me, '/me/disconnect', async (c, { userId }, given) => {
  const access = { userId, platformId: given.get('platform_id') ?? '' };
  const { connectedAt } = (await myPlatform(c.var.ctx, access))?.platform ?? {};
  if (connectedAt !== undefined && given.get('connected_at') !== String(connectedAt)) return refuseStale(c);
  if (connectedAt !== undefined) await endAccess(c.var.ctx, { ...access, connectedAt });
  // The page shows who has access now, so a form that was sent twice needs no error.
  return c.redirect('/me', 303);
});

form(me, '/me/calendars', async (c, session, given) => {
  const outcome = await chooseCalendars(c.var.ctx, session.userId, {
    shown: given.getAll('shown'),
    ticked: given.getAll('blocks'),
  });
  if (outcome === 'saved') return redirectDone(c, '/me?done=saved', '#calendars');
  if (outcome === 'nothing_ticked') return renderOverview(c, session, { unticked: true });
  const next = { path: '/me#calendars', title: 'Back to your calendars' };
  const refused = <MessagePage title="Not saved" kind="warn" message={NOT_SAVED[outcome]} next={next} />;
  c.set('refusal', outcome === 'unavailable' ? 'calendar_unavailable' : 'calendars_not_listed');
  return renderPage(c, refused, outcome === 'unavailable' ? 503 : 400);
});

const NOT_SAVED = {
  main_alone:
    'Nothing was changed, because you did not allow Tandem to see the list of your calendars. Your page says how to allow it.',
  unavailable:
    'Nothing was changed, because Tandem could not get your calendars from Google. Go back and save again in a moment.',
};

form(me, '/me/api-key', async (c, { id, userId }, given) => {
  const { ctx } = c.var;
  const once = onceIn(given);
  if (once === undefined) return refuseStale(c);
  const { secret } = await secretOfForm(ctx, { session: id, once });
  const key = await ctx.keys.complete(secret('sk_user_'));
  const made = await makeUserKey(ctx, userId, { key });
  const user = made && (await whoAmI(ctx, userId));
  if (user === undefined) return undefined;
  return renderMine(
    c,
    { title: 'Your new API key', at: '/me', email: user.email },
    <>
      <p>
        <code id="api-key">{key}</code>
      </p>
      <p>
        Copy it now. It is not shown again. Keep it as safe as a password: anyone who has it can read and change your
        preferences, and delete your account.
      </p>
      <LinkLine to="/me#key">Back to your page</LinkLine>
    </>,
  );
});

/** Changes one thing, whose ID the form may have, and leads to the page that shows how it is now. */
const change = (path: string, to: string, run: (ctx: Ctx, what: { userId: string; id: string }) => Promise<unknown>) =>
  form(me, path, async (c, { userId }, given) => {
    await run(c.var.ctx, { userId, id: storable(given.get('id') ?? '') });
    return c.redirect(to, 303);
  });

change('/me/api-key/revoke', '/me#key', (ctx, { userId }) => revokeKey(ctx, userId));
change('/me/held/end', '/me', endOwnProposal);
change('/me/agents/revoke', '/me', endAgent);
change('/me/learning/undo', '/me/learning', undoLearning);
change('/me/learning/reset', '/me/learning', (ctx, { userId }) => resetLearning(ctx, userId));

const AT_ONCE = 50;

page(me, '/me/learning', async (c, { userId }) => {
  const { cursor: after } = getLearning.query.safeParse({ cursor: c.req.query('cursor') }).data ?? {};
  const learning = await readLearning(c.var.ctx, userId, { limit: AT_ONCE, after });
  const content = <LearningPage {...learning} />;
  return renderMine(c, { title: 'What Tandem learned', at: '/me/learning', email: learning.email }, content);
});

form(me, '/me/rules/remove', async (c, { userId }, given) => {
  await removeRule(c.var.ctx, { userId, id: storable(given.get('id') ?? '') });
  return c.redirect(given.get('at') === 'home' ? RULE_PAGES.home : RULE_PAGES.learning, 303);
});

page(me, '/me/export', async (c, { userId }) => {
  const text = JSON.stringify(toExportAnswer(await exportUser(c.var.ctx, userId)), null, 2);
  c.header('Content-Disposition', 'attachment; filename="tandem.json"');
  return c.body(text, 200, { 'Content-Type': 'application/json' });
});

page(me, '/me/delete', async (c, { userId }) => {
  const { email } = (await whoAmI(c.var.ctx, userId)) ?? {};
  if (email === undefined) return undefined;
  return renderMine(
    c,
    { title: 'Delete your Tandem account?', at: '/me', email },
    <>
      <p>
        This deletes <strong>{email}</strong> from Tandem for good:
      </p>
      <ul>
        <li>All platforms lose access to your calendar and are notified.</li>
        <li>Your API key, your preferences and everything Tandem learned about you are deleted.</li>
        <li>Your meetings are not cancelled.</li>
      </ul>
      <Stays />
      <p>
        You may want to <a href="/me/export">download everything first</a>.
      </p>
      <div class="actions">
        <PostForm action="/me/delete" kind="danger">
          Delete my account
        </PostForm>
        <a href="/me">Keep everything as it is</a>
      </div>
    </>,
  );
});

form(
  me,
  '/me/delete',
  async (c, { userId }) => {
    await deleteUser(c.var.ctx, userId);
    return renderDeleted(c);
  },
  // A form that is sent twice finds no session, because the first one has deleted the person.
  async (c) => {
    const session = await currentSession(c);
    const isDeleted = session !== undefined && (await whoAmI(c.var.ctx, session.userId)) === undefined;
    return isDeleted ? renderDeleted(c) : signInFirst(c);
  },
);

function renderDeleted(c: Context<AppEnv>) {
  signOut(c);
  return renderPage(
    c,
    <MessagePage title="Your account is deleted" kind="ok">
      <p>
        No platform has access to your calendar anymore. Your key, your preferences and what Tandem learned about you
        are gone. You can close this page.
      </p>
      <Stays />
    </MessagePage>,
  );
}

const Stays = () => (
  <>
    <h2>What stays</h2>
    <ul>
      {STAYS.map(({ what, kept }) => (
        <li>
          {what}: {kept}
        </li>
      ))}
    </ul>
  </>
);

form(me, '/me/sign-out', (c, session) => leave(c, session, false));
form(me, '/me/sign-out-everywhere', (c, session) => leave(c, session, true));

async function leave(c: Context<AppEnv>, session: MySession, everywhere: boolean) {
  await leavePages(c.var.ctx, session, { everywhere });
  signOut(c);
  return renderPage(
    c,
    <MessagePage title="You are signed out" kind="ok" next={{ path: '/me', title: 'Sign in again' }}>
      <p>
        Your pages are closed in {everywhere ? 'every' : 'this'} browser. On a shared computer, sign out of Google too.
      </p>
      <p>
        Platforms, agents and your API key keep their access.
        {everywhere ? (
          <>
            {' '}
            If somebody else was signed in, look for <a href="/me#agents">agents</a> that you did not let in and for{' '}
            <a href="/me#key">a key</a> that you did not create, and revoke them.
          </>
        ) : null}
      </p>
    </MessagePage>,
  );
}
