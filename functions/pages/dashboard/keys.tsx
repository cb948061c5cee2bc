import { type Context, Hono } from 'hono';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { insistOnFreshLink } from '../../../lib/platforms/dashboard.ts';
import { readKeys, regeneratePlatformKey } from '../../../lib/platforms/keys.ts';
import type { AppEnv } from '../../http/env.ts';
import { At } from '../clock.tsx';
import { ButtonLink, Check, Form, LinkLine, PostForm, Submit } from '../components.tsx';
import { hasFreshLink, LinkNeeded, renderDashboard } from './frame.tsx';
import { CopyField } from './parts.tsx';
import { currentPlatform, type FormRefusal, form, openedSession, page, secretOf } from './session.ts';

const PATH = '/dashboard/keys';

const KEPT_HOURS = 24;

export const keys = new Hono<AppEnv>();

page(keys, PATH, (c) => renderKeys(c));

page(keys, `${PATH}/regenerate`, async (c) => {
  const { newKeyAt } = await readKeys(c.var.ctx, currentPlatform(c).id);
  const framed = { title: 'Replace the secret key?', at: PATH } as const;
  if (newKeyAt !== undefined)
    return renderDashboard(
      c,
      framed,
      <p>
        The key was replaced less than an hour ago. You can replace it again from <At ms={nextMinute(newKeyAt)} /> on.{' '}
        <a href={PATH}>Back to the keys</a>
      </p>,
    );
  return renderDashboard(
    c,
    framed,
    (await hasFreshLink(c)) ? (
      <>
        <ul>
          <li>The current key stops working at once, unless you tick the box below. Give your servers the new one.</li>
          <li>Every other browser with this dashboard open is signed out, and links to the dashboard stop working.</li>
          <li>The new key is shown once. You can replace it again after an hour.</li>
        </ul>
        <Form action={`${PATH}/regenerate`} isOnce>
          <Check
            name="keep"
            label={`Let the current key work for ${KEPT_HOURS} more hours. Tick this only if nobody else can have it.`}
          />
          <p class="actions">
            <Submit kind="danger">Replace the key now</Submit> <a href={PATH}>Keep the current one</a>
          </p>
        </Form>
      </>
    ) : (
      <LinkNeeded to="replace the key" at={PATH} back="Back to the keys" />
    ),
  );
});

form(keys, `${PATH}/regenerate`, { needsFreshLink: true, refused: renderKeys }, async (c, given) => {
  const { ctx } = c.var;
  insistOnFreshLink(ctx, openedSession(c));
  const { secret } = await secretOf(c, given);
  const { key, formerUntil } = await regeneratePlatformKey(ctx, currentPlatform(c).id, {
    key: await ctx.keys.complete(secret('sk_live_')),
    keepHours: given.has('keep') ? KEPT_HOURS : undefined,
  });
  const former = formerUntil === undefined ? 'no longer works' : `works for ${KEPT_HOURS} more hours`;
  return renderDashboard(
    c,
    { title: 'Your new secret key', at: PATH },
    <>
      <CopyField id="api-key" what="secret key" label="Copy it now. It is not shown again." value={key} />
      <p>The old key {former}. You stay signed in here.</p>
      <LinkLine to={PATH}>Back to the keys</LinkLine>
    </>,
  );
});

/** Rounds an instant up to the minute, so that the page never names a time that is too early. */
const nextMinute = (ms: number) => Math.ceil(ms / MINUTE) * MINUTE;

async function renderKeys(c: Context<AppEnv>, refusal?: FormRefusal) {
  const { masked, createdAt, publishable, newKeyAt, former } = await readKeys(c.var.ctx, currentPlatform(c).id);
  return renderDashboard(
    c,
    { title: 'Keys', at: PATH, refusal },
    <>
      <h2>Secret key</h2>
      <p>
        <code>{masked}</code>, in use since <At ms={createdAt} />. Keep it on your server: anyone who has it can do
        everything your platform can.
      </p>
      {former.map((key) => (
        <p>
          <code>{key.masked}</code>, the former key, works until <At ms={key.until} />.
        </p>
      ))}
      <p>
        {newKeyAt === undefined ? (
          <ButtonLink to={`${PATH}/regenerate`} kind="quiet">
            Replace the secret key
          </ButtonLink>
        ) : (
          ['You can replace it again from ', <At ms={nextMinute(newKeyAt)} />, ' on.']
        )}
      </p>
      <h2>Publishable key</h2>
      <p>The publishable key is used only in the links that connect a calendar. This key may be public.</p>
      <CopyField
        id="publishable"
        what="publishable key"
        label={<span class="hidden">Publishable key</span>}
        value={publishable}
      />
      <h2>Sessions</h2>
      <p>A link to this dashboard may be in other browsers. You can close all of them, this one too.</p>
      <PostForm action="/dashboard/sign-out-everywhere" kind="quiet">
        Sign out everywhere
      </PostForm>
    </>,
  );
}
