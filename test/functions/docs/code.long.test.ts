import { expect, test } from 'vitest';
import { freshPlatform } from '../../support/people/factories.ts';
import { asPython, asShell, blockOf, docsPaths } from '../../support/worlds/docs-blocks.ts';
import { play } from '../../support/worlds/docs-play.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

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
