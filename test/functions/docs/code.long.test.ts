import { expect, test } from 'vitest';
import { blockOf } from '../../support/worlds/docs-blocks.ts';
import { asPython, asShell } from '../../support/worlds/docs-code.ts';
import { STORIES, tell } from '../../support/worlds/docs-stories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test.each(Object.keys(STORIES))('%s works in Python and with curl itself', async (path) => {
  await tell(path, 'python', asPython);
  await tell(path, 'curl', asShell);
});

test('Python says the code and the message of an error in either format', async () => {
  const code = await blockOf('/docs/errors', 'HTTPError');
  const said = async (path: string) => {
    const tried = `try:
    call(${JSON.stringify(world.baseUrl + path)})
except RuntimeError as error:
    print(json.dumps({"said": str(error)}))`;
    return (await asPython(`${code}\n\n${tried}`, {})).body;
  };
  const refused = { said: expect.stringMatching(/^unauthorized: ./) };
  expect(await said('/v1/batches/batch_x')).toEqual(refused);
  expect(await said('/v1/nothing')).toEqual({ said: expect.stringMatching(/^not_found: ./) });
});
