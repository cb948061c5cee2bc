import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { iso } from '../../support/people/meetings.ts';
import { busyAt, expectEnd, made, passUntil, readProposal } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('on_expiry: book_first', () => {
  test('expires 15 minutes before its earliest time at the latest', async () => {
    const { proposal } = await made({ on_expiry: 'book_first', expires_in_hours: 336 });
    expect(proposal.expires_at).toBe(iso(Date.parse(proposal.times[0]?.start_time ?? '') - HOUR / 4));
  });

  test('expires after it is made, however soon its earliest time may be', async () => {
    const soon = world.clock.now() + HOUR / 4 + 2 * MINUTE;
    const { proposal } = await made({ on_expiry: 'book_first', times: [iso(soon)] });
    expect(proposal.expires_at > proposal.created_at).toBe(true);
  });

  test('books the first time, and tells of an accepted proposal', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    await passUntil(scene.proposal.expires_at);
    const proposal = await expectEnd(scene, 'accepted');
    expect(proposal.times.map(({ status }) => status)).toEqual(['accepted', 'released', 'released']);
  });

  test('takes the next time if the first is busy', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    const [first] = scene.proposal.times;
    if (first !== undefined) busyAt(scene.bob.email, first);
    await passUntil(scene.proposal.expires_at);
    const proposal = await expectEnd(scene, 'accepted');
    expect(proposal.times.map(({ status }) => status)).toEqual(['released', 'accepted', 'released']);
  });

  test('ends as expired if no time is free', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    for (const time of scene.proposal.times) busyAt(scene.bob.email, time);
    await passUntil(scene.proposal.expires_at);
    await expectEnd(scene, 'expired');
  });

  test('books nothing if somebody is not connected any more, because that ended the proposal', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    await scene.platform.api.disconnect(scene.bob.email);
    await passUntil(scene.proposal.expires_at);
    await expectEnd(scene, 'withdrawn');
  });

  test('tries again while a calendar fails, for an hour', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 503 });
    await passUntil(scene.proposal.expires_at);
    expect((await readProposal(scene.platform, scene.id)).status).toBe('open');
    await world.advance(HOUR);
    await world.worker.runScheduled(world.clock.now());
    world.faults.clear();
    await expectEnd(scene, 'expired');
  });

  test('books once the calendar answers again', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 503 });
    await passUntil(scene.proposal.expires_at);
    world.faults.clear();
    await world.advance(2 * 60_000);
    await world.worker.runScheduled(world.clock.now());
    await expectEnd(scene, 'accepted');
  });

  test('books nothing for a suspended platform', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    await world.neon.query('update platforms set suspended_at = now() where id = $1', [scene.platform.id]);
    await passUntil(scene.proposal.expires_at);
    await world.neon.query('update platforms set suspended_at = null where id = $1', [scene.platform.id]);
    await expectEnd(scene, 'expired');
  });
});
