import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { freshPlatform, ownClient } from '../../support/people/factories.ts';
import { iso, pass, seen } from '../../support/people/meetings.ts';
import {
  accept,
  decline,
  ended,
  expectEnd,
  heldFor,
  made,
  passUntil,
  proposed,
  proposing,
  readProposal,
  toldOf,
  withdraw,
} from '../../support/people/proposing.ts';
import { losing } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('a withdrawn proposal', () => {
  test('frees its times, tells once, and answers a second request the same', async () => {
    const { platform, body } = await proposing();
    const made = await proposed(platform, { ...body, metadata: { deal: 'D-1' } });
    const answer = await withdraw(platform, made.proposal_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...made,
      status: 'withdrawn',
      times: made.times.map((time) => ({ ...time, status: 'released' })),
      ended_at: expect.any(String),
    });
    expect((await withdraw(platform, made.proposal_id)).text).toBe(answer.text);
    expect(await readProposal(platform, made.proposal_id)).toEqual(answer.body);
    expect(await heldFor(platform)).toBe(0);
    expect(await toldOf(platform)).toEqual([
      [
        'proposal.withdrawn',
        {
          proposal_id: made.proposal_id,
          attendees: made.attendees,
          title: body.title,
          duration_minutes: 30,
          metadata: { deal: 'D-1' },
          withdrawn_at: (answer.body as { ended_at: string }).ended_at,
        },
      ],
    ]);
    await expectPeace({ platforms: [platform] });
  });

  test('is 409 proposal_busy to a request that loses against others each time it tries', async () => {
    const { platform, body } = await proposing();
    const { proposal_id: id } = await proposed(platform, body);
    const lost = await losing('proposals', id, () => withdraw(platform, id));
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([409, '5']);
    expect(lost.body).toMatchObject({ error: { code: 'proposal_busy' } });
    expect((await withdraw(platform, id)).body).toMatchObject({ status: 'withdrawn' });
  });
});

test('an expired proposal ends with the minute after its time, once, and cannot be withdrawn', async () => {
  const { platform, body } = await proposing();
  const made = await proposed(platform, { ...body, expires_in_hours: 1 });
  await world.worker.runScheduled(world.clock.now());
  expect((await readProposal(platform, made.proposal_id)).status).toBe('open');
  await passUntil(made.expires_at);
  await world.worker.runScheduled(world.clock.now());
  const ended = await readProposal(platform, made.proposal_id);
  expect(ended).toMatchObject({ status: 'expired', ended_at: expect.any(String) });
  expect(await heldFor(platform)).toBe(0);
  expect((await toldOf(platform)).map(([type, data]) => [type, data.proposal_id, data.expired_at])).toEqual([
    ['proposal.expired', made.proposal_id, ended.ended_at],
  ]);
  const refused = await withdraw(platform, made.proposal_id);
  expect(seen(refused)).toEqual(
    refusal(409, 'proposal_ended', {
      message:
        'This proposal can no longer be changed, because it is expired. To offer other times, make a new proposal with POST /v1/proposals.',
    }),
  );
});

test('an erased person’s open proposals end at once, are told with the next minute, and no longer name them', async () => {
  const { platform, ada, bob, body } = await proposing();
  const own = await ownClient(platform, bob.email);
  const made = await proposed(platform, {
    ...body,
    title: `Talk with ${bob.email}`,
    description: `Ask ${bob.email}`,
    metadata: { who: bob.email },
  });
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  expect(await heldFor(platform)).toBe(0);
  expect((await readProposal(platform, made.proposal_id)).status).toBe('withdrawn');
  await pass(60);
  const ended = await readProposal(platform, made.proposal_id);
  expect(ended.status).toBe('withdrawn');
  expect(ended.attendees[0]).toBe(ada.email);
  expect(JSON.stringify(ended)).not.toContain(bob.email);
  expect(JSON.stringify(await toldOf(platform))).not.toContain(bob.email);
  expect(await toldOf(platform)).toHaveLength(1);
  expect(await heldFor(platform)).toBe(0);
});

test('the list has the newest first, page by page, by state and by person', async () => {
  const { platform, ada, bob, body } = await proposing();
  const start = Date.parse(body.times[0] ?? '');
  const ids: string[] = [];
  for (const n of [0, 1, 2]) {
    ids.unshift((await proposed(platform, { ...body, times: [iso(start + n * HOUR)] })).proposal_id);
    await world.advance(1_000);
  }
  await withdraw(platform, ids[1] ?? '');
  const list = async (query: string) => {
    const { body: page } = await platform.api.send('GET', `/v1/proposals?${query}`);
    const { proposals, pagination } = page as {
      proposals: { proposal_id: string }[];
      pagination: { next_cursor: string | null; has_more: boolean };
    };
    return { ids: proposals.map(({ proposal_id }) => proposal_id), ...pagination };
  };
  expect(await list('')).toEqual({ ids, next_cursor: null, has_more: false });
  const first = await list('limit=2');
  expect(first).toMatchObject({ ids: ids.slice(0, 2), has_more: true });
  expect(await list(`limit=2&cursor=${first.next_cursor}`)).toMatchObject({ ids: ids.slice(2), has_more: false });
  expect((await list('status=open')).ids).toEqual([ids[0], ids[2]]);
  expect((await list(`email=${encodeURIComponent(bob.email.toUpperCase())}`)).ids).toEqual(ids);
  expect((await list('email=nobody%40people.test')).ids).toEqual([]);
  const stranger = await freshPlatform({ plan: 'enterprise' });
  expect((await stranger.api.send('GET', `/v1/proposals?email=${ada.email}`)).body).toMatchObject({ proposals: [] });
  for (const query of ['status=gone', 'limit=0', 'cursor=x', 'email=x'])
    expect((await platform.api.send('GET', `/v1/proposals?${query}`)).status).toBe(400);
});

describe('declining', () => {
  test('frees the times, tells once with the reason, and answers a second request the same', async () => {
    const scene = await made();
    const { platform, id, proposal } = scene;
    const answer = await decline(platform, id, { reason: 'None of these works.' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...proposal,
      status: 'declined',
      times: proposal.times.map((time) => ({ ...time, status: 'released' })),
      decline_reason: 'None of these works.',
      ended_at: expect.any(String),
    });
    expect((await decline(platform, id, { reason: 'Another reason' })).text).toBe(answer.text);
    expect((await toldOf(platform)).map(([, data]) => data.reason)).toEqual(['None of these works.']);
    await expectEnd(scene, 'declined');
    expect(await accept(platform, id, proposal.times[0]?.id)).toMatchObject(ended('declined'));
  });

  test('without a body needs no reason', async () => {
    const scene = await made();
    expect((await decline(scene.platform, scene.id)).body).toMatchObject({ status: 'declined', decline_reason: null });
    expect((await toldOf(scene.platform)).map(([, data]) => data.reason)).toEqual([null]);
  });

  test('with a reason that is too long, or no text, names the field', async () => {
    const { platform, id } = await made();
    for (const reason of ['x'.repeat(1_001), 7])
      expect(await decline(platform, id, { reason })).toMatchObject(
        refusal(400, 'invalid_request', { field: 'reason' }),
      );
  });
});
