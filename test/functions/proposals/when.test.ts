import { expect, test } from 'vitest';
import { refusal } from '../../support/checks/errors.ts';
import { propose, proposing } from '../../support/people/proposing.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

const wished = async (more: object) => {
  const { platform, body } = await proposing();
  const { times, ...rest } = body;
  return { platform, body: { ...rest, ...more }, times };
};

test('a proposal offers times that its words ask for', async () => {
  const { platform, body } = await wished({ when: 'after 3pm, a week later', count: 3 });
  const { status, body: made } = await propose(platform, body);
  expect({ status, made }).toMatchObject({
    status: 201,
    made: {
      understood: [{ quote: 'after 3pm' }],
      not_understood: ['a week later'],
      warnings: [expect.stringContaining('“a week later”')],
    },
  });
  const { times } = made as { times: { reason: string }[] };
  expect(times).toHaveLength(3);
  for (const { reason } of times) expect(reason).toMatch(/ at 1[567]:\d\d in London/);
});

test('a proposal of which no time meets the words is not made, and the error names them', async () => {
  const { platform, body } = await wished({ when: 'between 21:00 and 22:00' });
  expect(await propose(platform, body)).toMatchObject(
    refusal(409, 'no_availability', { message: expect.stringContaining('“between 21:00 and 22:00”') }),
  );
});

test.each(['when', 'time_ranges'])('%s is refused beside given times', async (field) => {
  const { platform, body, times } = await wished({});
  const [start] = times;
  const more = field === 'when' ? { when: 'afternoons' } : { time_ranges: [{ start, end: '2990-01-01T00:00:00Z' }] };
  expect(await propose(platform, { ...body, times, ...more })).toMatchObject({
    status: 400,
    body: { error: { field } },
  });
});
