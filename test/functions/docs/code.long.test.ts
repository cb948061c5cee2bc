import { expect, test } from 'vitest';
import { freshPlatform } from '../../support/people/factories.ts';
import { blockOf, docsPaths } from '../../support/worlds/docs-blocks.ts';
import { asPython, asShell } from '../../support/worlds/docs-code.ts';
import { play } from '../../support/worlds/docs-play.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test.each(['/', ...(await docsPaths())])('%s works in Python and with curl itself', async (path) => {
  await play(path, 'python', asPython);
  await play(path, 'sh', asShell);
});

test('Python says the code and the message of an error in either format', async () => {
  const { secret_key } = await freshPlatform();
  const code = await blockOf('/docs/errors', 'HTTPError');
  const said = async (path: string) => {
    const request = `urllib.request.Request("${world.baseUrl}${path}", headers={"Authorization": "Bearer ${secret_key}"})`;
    const tried = `try:
    call(${request})
except RuntimeError as error:
    print(json.dumps({"said": str(error)}))`;
    return (await asPython(`${code}\n\n${tried}`, {})).body;
  };
  expect(await said('/v1/batches/batch_x')).toEqual({ said: expect.stringMatching(/^batch_not_found: ./) });
  expect(await said('/v1/nothing')).toEqual({ said: expect.stringMatching(/^not_found: ./) });
});
