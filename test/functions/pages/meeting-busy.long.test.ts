import { expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { formIn, send } from '../../support/checks/forms.ts';
import { visit } from '../../support/people/dashboard.ts';
import { booked, iso, rowOf } from '../../support/people/meetings.ts';
import { acceptedProposal, answer } from '../../support/people/proposal-pages.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Makes a meeting look as if another request were changing it, until the returned function is called. */
async function changing(meetingId: string): Promise<() => Promise<unknown>> {
  const lease = (until: string | null) =>
    world.neon.query('update meetings set lease_until = $2 where id = $1', [meetingId, until]);
  await lease(iso(world.clock.now() + MINUTE));
  return () => lease(null);
}

test('a person’s page says that another change of the meeting is in progress, and cancels it afterwards', async () => {
  const { id, ada } = await booked();
  const { browser } = await world.signIn(ada.email);
  const form = formIn(browser, await visit(browser, '/me/meetings'), '/me/meetings/cancel');
  const end = await changing(id);
  const busy = await send(form);
  expect([busy.status, busy.html.includes('Another change to this meeting is still in progress.')]).toEqual([
    409,
    true,
  ]);
  expect(await rowOf(id)).toMatchObject({ status: 'scheduled' });
  await end();
  expect((await send(form)).status).toBe(303);
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled' });
});

test('a proposal’s page says that another change of the meeting is in progress, and cancels it afterwards', async () => {
  const { url, start, meetingId } = await acceptedProposal();
  const end = await changing(meetingId);
  const busy = await answer(url, { answer: 'cancel', start });
  expect([busy.status, busy.text.includes('Somebody else is changing the meeting.')]).toEqual([409, true]);
  await end();
  expect((await answer(url, { answer: 'cancel', start })).status).toBe(303);
});
