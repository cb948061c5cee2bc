import { test } from 'vitest';
import { asCurl, asNode } from '../../support/worlds/docs-code.ts';
import { STORIES, tell } from '../../support/worlds/docs-stories.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

test.each(Object.keys(STORIES))('%s works as it stands: its calls succeed one after the other', async (path) => {
  await tell(path, 'curl', asCurl);
  await tell(path, 'node', asNode);
});
