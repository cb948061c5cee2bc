import { expect, test } from 'vitest';
import { seedOrExplain } from './seed-or-explain.ts';
import type { World } from './world.ts';

test('a failed first start shows the errors that the Worker logged last, and what to do', async () => {
  const logged = ['{"level":"info","message":"request"}', '{"level":"error","message":"the calendar failed"}'];
  const world = { logs: () => logged } as World;
  const failed = seedOrExplain(world, () => Promise.reject(new Error('connecting ana ended with 500')));
  await expect(failed).rejects.toThrow(
    [
      'connecting ana ended with 500',
      '{"level":"error","message":"the calendar failed"}',
      'A busy machine may be the cause. Run `npm start` again.',
    ].join('\n'),
  );
});
