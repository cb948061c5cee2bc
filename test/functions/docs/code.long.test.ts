import { test } from 'vitest';
import { asPython, asShell } from '../../support/worlds/docs-code.ts';
import { STORIES, tell } from '../../support/worlds/docs-stories.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

test.each(Object.keys(STORIES))('%s works in Python and with curl itself', async (path) => {
  await tell(path, 'python', asPython);
  await tell(path, 'curl', asShell);
});
