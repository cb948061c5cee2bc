import { type Context, Hono } from 'hono';
import { fromThen } from '../../../lib/key-regeneration.ts';
import { sha256 } from '../../../lib/keys.ts';
import { secretOfForm } from '../../../lib/once.ts';
import { createSession } from '../../../lib/page-session.ts';
import { readKeys } from '../../../lib/platforms/keys.ts';
import { regeneratePlatformKey } from '../../../lib/platforms/regenerate-key.ts';
import { findKeyOwner } from '../../../schema/api-keys/queries.ts';
import { asCaller, identify } from '../../caller.ts';
import type { AppEnv } from '../../env.ts';
import { Notice } from '../components.tsx';
import { Csrf, Once, renderDashboard } from './frame.tsx';
import { At, CopyField } from './parts.tsx';
import { attempt, type Refusal } from './query.ts';
import { currentPlatform, onceOf, openSession, ownForm, page, startSession } from './session.ts';

const PATH = '/dashboard/keys';

export const keys = new Hono<AppEnv>();

page(keys, PATH, (c) => renderKeys(c));

page(keys, `${PATH}/regenerate`, async (c) => {
  const { newKeyAt } = await readKeys(c.var.ctx, currentPlatform(c).id);
  return renderDashboard(
    c,
    { title: 'Replace the secret key?', at: PATH },
    newKeyAt !== undefined ? (
      <p>
        It was replaced within the hour, and can be again {fromThen(newKeyAt)}. <a href={PATH}>Back to the keys</a>
      </p>
    ) : (
      <>
        <ul>
          <li>Every server that uses the current key is refused at once, until it has the new one.</li>
          <li>Every other browser that has this dashboard open is signed out, and links into it stop working.</li>
          <li>The new key is shown once. It can be replaced again after an hour.</li>
        </ul>
        <form method="post" action={`${PATH}/regenerate`}>
          <Csrf csrf={c.var.session.csrf} />
          <Once once={c.var.ctx.ids.secret('')} />
          <p class="actions">
            <button type="submit" class="danger">
              Replace the key now
            </button>{' '}
            <a href={PATH}>Leave it as it is</a>
          </p>
        </form>
      </>
    ),
  );
});

keys.post(`${PATH}/regenerate`, async (c) => {
  const { ctx } = c.var;
  const session = await openSession(c);
  const once = onceOf(await ownForm(c));
  const { secret } = await secretOfForm(ctx, { session: session.text, once });
  const apiKey = await ctx.keys.complete(secret('sk_live_'));
  const hash = await sha256(apiKey);
  const { refusal } = await attempt(c, async () => {
    try {
      await identify(c, session.subject);
      await asCaller(c, () => regeneratePlatformKey(c.var.ctx, currentPlatform(c).id, apiKey));
    } catch (error) {
      // Of a form that is sent twice, or whose answer was lost, the later finds the key that the first made.
      if ((await findKeyOwner(ctx.db, { hash })) === undefined) throw error;
    }
  });
  if (refusal !== undefined) return renderKeys(c, refusal);
  // The session ends with its key, and goes on with the next.
  const next = await createSession(ctx, 'dashboard', hash);
  startSession(c, next);
  await openSession(c, next);
  await identify(c, hash);
  return renderDashboard(
    c,
    { title: 'The new secret key', at: PATH },
    <>
      <CopyField id="api-key" label="Copy it now: it is not shown again" value={apiKey} />
      <p>The old key no longer works. You stay signed in here.</p>
      <p>
        <a href={PATH}>Back to the keys</a>
      </p>
    </>,
  );
});

async function renderKeys(c: Context<AppEnv>, refusal?: Refusal) {
  const { masked, createdAt, publishable, newKeyAt } = await readKeys(c.var.ctx, currentPlatform(c).id);
  return renderDashboard(
    c,
    { title: 'Keys', at: PATH, status: refusal?.status ?? 200 },
    <>
      {refusal === undefined ? null : <Notice kind="bad">{refusal.message}</Notice>}
      <h2>Secret key</h2>
      <p>
        <code>{masked}</code>, in use since <At ms={createdAt} />. Keep it on your server: whoever has it can do
        everything this platform can.
      </p>
      <p>
        {newKeyAt === undefined ? (
          <a class="button quiet" href={`${PATH}/regenerate`}>
            Replace the secret key
          </a>
        ) : (
          `It can be replaced again ${fromThen(newKeyAt)}.`
        )}
      </p>
      <h2>Publishable key</h2>
      <p>It is used only in the links that connect a calendar, and may be public.</p>
      <CopyField id="publishable" label={<span class="hidden">Publishable key</span>} value={publishable} />
    </>,
  );
}
