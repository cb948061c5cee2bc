import { describe, expect, test } from 'vitest';
import { refusal } from '../../support/checks/errors.ts';
import { accept, decline, ended, expectEnd, made, toldOf } from '../../support/people/proposing.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

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
