import { expect, test } from 'vitest';
import { freshPlatform } from '../../support/people/factories.ts';
import { asCurl, asNode, asPython, asShell, blockOf, docsPaths, play } from '../../support/worlds/docs-blocks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const PATHS = ['/', ...(await docsPaths())];

test('there are pages to play', () => {
  expect(PATHS.length).toBeGreaterThan(20);
});

/** No example is about the days at the end of the year, which many take off. */
async function passYearEnd(): Promise<void> {
  const now = new Date(world.clock.now());
  if (now.toISOString().slice(5) > '12-12')
    await world.advance(Date.UTC(now.getUTCFullYear() + 1, 0, 5) - now.getTime());
}

test.each(PATHS)('%s works as it stands, from top to bottom', async (path) => {
  await passYearEnd();
  await play(path, 'sh', asCurl);
  await play(path, 'js', asNode);
});

test.each(['/', ...(await docsPaths())])('%s works in Python and with curl itself', async (path) => {
  await play(path, 'python', asPython);
  await play(path, 'sh', asShell);
});

test('Python says the code and the message of an error in either format', async () => {
  const { secret_key } = await freshPlatform();
  const code = await blockOf('/docs/errors', 'HTTPError');
  const said = async (path: string) =>
    (await asPython(code.replace('/v1/availability', path), { TANDEM_API_KEY: secret_key })).text;
  expect(await said('/v1/availability')).toMatch(/^invalid_attendees .+ \S+\n$/);
  expect(await said('/v1/nothing')).toMatch(/^not_found .+ \S+\n$/);
});
