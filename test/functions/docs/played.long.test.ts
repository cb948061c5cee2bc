import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../functions/openapi/examples.ts';
import type { Json } from '../../support/checks/openapi.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import {
  asCurl,
  asNode,
  asPython,
  asShell,
  blockOf,
  docsPaths,
  play,
  type Runner,
  tabsOf,
} from '../../support/worlds/docs-blocks.ts';
import { type ExampleStory, HOOK, openStory, requestOf, STORY } from '../../support/worlds/example-story.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const PATHS = ['/', ...(await docsPaths())];

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

/** Lists that the page reads without the filters of the example, so that they may begin with another item. */
const UNFILTERED = new Set(['listMeetings', 'listUserMeetings']);

describe.each<[string, Runner]>([
  ['sh', asShell],
  ['js', asNode],
  ['python', asPython],
])('every call of the reference works as it stands, in %s', (language, run) => {
  let story: ExampleStory;
  let pages: Map<string, string>;
  /** IDs, keys and addresses of the pages, each with its counterpart in this world. */
  const named = new Map<string, string>();
  beforeAll(async () => {
    story = await openStory();
    pages = await pagesAt(story.world.baseUrl);
    named.set('https://hooks.acme.example/tandem', HOOK).set('pk_live_example', story.platform.publishable_key);
  });
  afterAll(() => story.world.close());

  function learn(theirs: unknown, ours: unknown): void {
    if (typeof theirs === 'string' && typeof ours === 'string') {
      if (/^(?:meet|prop|time|sched|batch|wh|wh_del|learn)_/.test(theirs)) named.set(theirs, ours);
    } else if (typeof theirs === 'object' && theirs !== null)
      for (const [name, part] of Object.entries(theirs)) learn(part, (ours as Json | null)?.[name]);
  }

  test.each(Object.keys(STORY))('%s', async (id) => {
    const example = EXAMPLES[id] ?? {};
    learn(example, await requestOf(story, id));
    const [main = '', ...others] = tabsOf(pages.get(id) ?? '').map((one) => one[language] ?? '');
    expect(others.length).toBe(example.others?.length ?? 0);
    const send = async (code: string) => {
      const ours = [...named].reduce((all, [theirs, own]) => all.replaceAll(theirs, own), code);
      const { status, body } = await run(ours, {
        TANDEM_API_KEY: story.keys.platform,
        TANDEM_USER_KEY: story.keys.user,
      });
      expect(status).toBe(200);
      return body;
    };
    // A further example makes a proposal where the main one acts at once. It comes first, and is withdrawn again.
    for (const other of others) {
      const { proposal_id } = (await send(other)) as { proposal_id: string };
      expect((await story.asPlatform('DELETE', `/v1/proposals/${proposal_id}`)).status).toBe(200);
    }
    const answer = await send(main);
    if (!UNFILTERED.has(id)) learn(example.answer, answer);
    await story.after(id, answer);
  });
});

/** Returns the page of each operation, by the operation's name. */
async function pagesAt(baseUrl: string): Promise<Map<string, string>> {
  const read = async (path: string) => (await createClient(baseUrl).send('GET', path)).text;
  const list = await read('/docs/reference');
  const ids = [...list.matchAll(/<a href="\/docs\/reference\/(\w+)"><code>/g)].map(([, id = '']) => id);
  return new Map(await Promise.all(ids.map(async (id) => [id, await read(`/docs/reference/${id}`)] as const)));
}
