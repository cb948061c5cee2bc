import { expect, test } from 'vitest';
import { visit } from '../../support/people/proposal-pages.ts';
import { made } from '../../support/people/proposing.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

test('a link with the punctuation that a mail program took for a part of it leads to its page', async () => {
  const { proposal } = await made();
  const { pathname } = new URL(proposal.url);
  for (const end of ['.', ')', '%3E', '%20', '%22).', ',']) {
    const cut = await visit(`${proposal.url}${end}?zone=Europe/Paris`);
    expect([end, cut.status, cut.headers.get('location')]).toEqual([end, 302, `${pathname}?zone=Europe/Paris`]);
  }
  expect((await visit(`${proposal.url}x`)).status).toBe(404);
  const slash = await visit(`${proposal.url}/?zone=Europe/Paris`);
  expect([slash.status, slash.headers.get('location')]).toEqual([302, `${pathname}?zone=Europe/Paris`]);
});
