import { expect, test } from 'vitest';
import { readable } from '../../../lib/reader/grammar/tokens.ts';
import { bookable } from '../../support/people/bookings.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

const ZEROS = Array.from({ length: 1_000_000 }, () => 0);

test('a list of a million zeros is refused by its first items', async () => {
  const { platform } = await bookable();
  const refused = await platform.api.send('POST', '/v1/schedule/batch', { meetings: ZEROS });
  expect([refused.status, refused.text.length < 1_000]).toEqual([400, true]);
  const unknown = { meetings: [{ reference: 'a', attendees: ['a@x.test', 'b@x.test'] }], zeros: ZEROS };
  expect((await platform.api.send('POST', '/v1/schedule/batch', unknown)).status).toBe(202);
});

test('metadata of 170,000 numbers is refused by its size', async () => {
  const { platform } = await bookable();
  const metadata = Object.fromEntries(Array.from({ length: 170_000 }, (_, n) => [n, 0]));
  const meetings = [{ reference: 'a', attendees: ['a@x.test', 'b@x.test'], metadata }];
  const refused = await platform.api.send('POST', '/v1/schedule/batch', { meetings });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { error: { field: 'meetings.0.metadata', message: expect.stringContaining('must have at most 20 pairs') } },
  ]);
});

test('a text whose letters become many is cut after that', () => {
  expect(readable('㎨'.repeat(1_000)).length).toBe(1_000);
});
