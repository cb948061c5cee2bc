import { expect, test } from 'vitest';
import { acceptedBatch, batchIs, mentoring } from '../../support/people/batches.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const round = (count: number) => ({
  dry_run: true,
  meetings: Array.from({ length: count }, (_, n) => ({ reference: `m${n}`, attendees: ['a@x.test', 'b@x.test'] })),
});

test('the batches that are not booked have as many meetings as the plan allows, and cancelled ones count for an hour', async () => {
  const { api } = await freshPlatform({ plan: 'developer' });
  world.qstash.setKnobs({ hold: true });
  const send = (count: number) => api.send('POST', '/v1/schedule/batch', round(count));
  const first = await send(1_500);
  expect(first.status).toBe(202);
  const refused = await send(501);
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'quota_exceeded', limit: 2_000, used: 1_500 }]);
  expect((await send(500)).status).toBe(202);
  const { batch_id } = first.body as { batch_id: string };
  expect((await api.send('DELETE', `/v1/batches/${batch_id}`)).status).toBe(200);
  expect((await send(1)).status).toBe(429);
  await world.advance(3_601_000);
  expect((await send(1_500)).status).toBe(202);
});

test.each([
  ['a dry run that was committed', true],
  ['another batch', false],
])('the meetings of %s count for an hour if all failed', async (_what, dry_run) => {
  const platform = await freshPlatform({ plan: 'developer' });
  const send = (body: object) => platform.api.send('POST', '/v1/schedule/batch', body);
  const id = await acceptedBatch(platform, { ...round(20), dry_run });
  if (dry_run) {
    await batchIs(platform, id, 'planned');
    expect((await platform.api.send('POST', `/v1/batches/${id}/commit`, {})).status).toBe(202);
  }
  await batchIs(platform, id, 'completed');
  const refused = await send(round(2_000));
  expect([refused.status, refused.body]).toMatchObject([429, { limit: 2_000, used: 20 }]);
  await world.advance(3_601_000);
  expect((await send(round(2_000))).status).toBe(202);
});

test('the meetings that an ended batch booked do not count', async () => {
  const { platform, body } = await mentoring({ plan: 'developer' });
  await batchIs(platform, await acceptedBatch(platform, body), 'completed');
  world.qstash.setKnobs({ hold: true });
  expect((await platform.api.send('POST', '/v1/schedule/batch', round(2_000))).status).toBe(202);
});

test('twenty batches at once stay within it', async () => {
  const { api } = await freshPlatform({ plan: 'developer' });
  world.qstash.setKnobs({ hold: true });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.send('POST', '/v1/schedule/batch', round(500))),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(4);
});
