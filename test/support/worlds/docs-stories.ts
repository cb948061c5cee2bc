import { expect } from 'vitest';
import type { Language } from '../../../functions/pages/docs/call.tsx';
import { exampleDate } from '../../../functions/placeholders.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import { ended } from '../people/auto.ts';
import { batchIs } from '../people/batches.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../people/factories.ts';
import { strangersAddress } from '../people/guests.ts';
import type { Proposal } from '../people/proposing.ts';
import { createClient } from './client.ts';
import { type Ran, type Runner, tabsOf } from './docs-code.ts';
import { world } from './world.ts';

/** Code of a page, run block by block with names of this world in the place of the page's. */
export interface Reader {
  platform: TestPlatform;
  /** Names in the code, each with its replacement. */
  names: Record<string, string>;
  /** Environment variables of the code. */
  env: Record<string, string>;
  /** Runs the next block of the page. */
  next(): Promise<Ran>;
}

type Story = (reader: Reader) => Promise<void>;
type Body = Record<string, unknown>;

export const PROPOSAL_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('proposal.'));
const connected = async (platform: TestPlatform) => (await connectedPerson(platform)).email;
/** Connects two people under the names that the guides use. */
async function aPair(platform: TestPlatform, names: Record<string, string>): Promise<[string, string]> {
  const pair: [string, string] = [await connected(platform), await connected(platform)];
  [names['ada@example.com'], names['bob@example.com']] = pair;
  return pair;
}
const done = { status: expect.toSatisfy((status: number) => status >= 200 && status < 300) as number };

/** Pages of the documentation with calls, each with the story in which every call succeeds. */
export const STORIES: Record<string, Story> = {
  '/': async ({ platform, names, next }) => {
    await aPair(platform, names);
    expect(await next()).toMatchObject({ ...done, body: { oauth_url: expect.any(String) } });
    expect(await next()).toMatchObject({ ...done, body: { slots: expect.arrayContaining([expect.anything()]) } });
    expect(await next()).toMatchObject({ ...done, body: { success: true } });
  },

  '/docs': async ({ platform, names, next }) => {
    names['ada@example.com'] = await connected(platform);
    names['bob@example.com'] = await connected(platform);
    expect(await next()).toMatchObject({ ...done, body: { oauth_url: expect.stringContaining(world.baseUrl) } });
    expect(await next()).toMatchObject({ ...done, body: { slots: expect.arrayContaining([expect.anything()]) } });
    expect(await next()).toMatchObject({ ...done, body: { meeting_id: expect.stringMatching(/^meet_/) } });
    expect(await next()).toMatchObject({ ...done, body: { secret: expect.stringMatching(/^whsec_/) } });
  },

  '/docs/authentication': async ({ platform, env, next }) => {
    expect(await next()).toMatchObject({ ...done, body: { plan: expect.any(String) } });
    env.TANDEM_USER_KEY = (await world.connect(platform, freshPerson().email)).api_key;
    expect(await next()).toMatchObject({ ...done, body: { preferences: { timezone: 'UTC' } } });
    expect(await next()).toMatchObject({ ...done, body: { api_key: expect.stringMatching(/^sk_live_/) } });
  },

  '/docs/testing': async ({ platform, names, next }) => {
    names['http://127.0.0.1:8788'] = world.worldUrl;
    const { email } = freshPerson();
    world.google.addUser({ email, timezone: 'UTC' });
    // The world of the tests has many platforms, and takes its first one if the call names none.
    names['"you@demo.test"'] = `"${email}", "platform_id": "${platform.id}"`;
    names["'you@demo.test'"] = `'${email}', platform_id: '${platform.id}'`;
    names['https://acme.com/hooks/tandem'] = 'https://inbox.platform.test/docs';
    expect(await next()).toMatchObject({ ...done, body: { api_key: expect.stringMatching(/^sk_user_/) } });
    expect(await next()).toMatchObject({ ...done, body: { event: 'meeting.scheduled' } });
    expect(await next()).toMatchObject({ ...done, body: { deliveries: expect.any(Array) } });
    expect(await next()).toMatchObject({ ...done, body: { offset_ms: expect.any(Number) } });
    expect(await next()).toMatchObject(done);
  },

  '/docs/connect': async ({ platform, names, next }) => {
    names['ada@example.com'] = await connected(platform);
    expect(await next()).toMatchObject({ ...done, body: { redirect_uris: ['https://acme.com/connected'] } });
    const { body } = await next();
    expect((body as Body).oauth_url).toContain('state=k3J9x');
    expect(await next()).toMatchObject({ ...done, body: { calendar_connected: true } });
    expect(await next()).toMatchObject({ ...done, body: { success: true } });
  },

  '/docs/search': async ({ platform, names, next }) => {
    await aPair(platform, names);
    const body = { slots: expect.arrayContaining([expect.anything()]), suggested_title: expect.any(String) };
    expect(await next()).toMatchObject({ ...done, body });
    expect(await next()).toMatchObject({ ...done, body: { offered: false, against: [{ rule: 'work_hours' }, {}] } });
    expect(await next()).toMatchObject({ ...done, body: { success: true, metadata: { deal: 'D-1042' } } });
  },

  '/docs/automatic': async ({ platform, names, next }) => {
    await aPair(platform, names);
    const started = await next();
    expect(started).toMatchObject({ ...done, body: { status: 'processing' } });
    names['sched_…'] = String((started.body as Body).job_id);
    await ended(platform, names['sched_…']);
    expect(await next()).toMatchObject({ ...done, body: { status: 'completed', result: { success: true } } });
  },

  '/docs/reschedule': async ({ platform, names, next }) => {
    const [ada, bob] = await aPair(platform, names);
    const start_time = `${exampleDate(world.clock.now())}T09:00:00Z`;
    const booked = await platform.api.schedule({ attendees: [ada, bob], start_time, duration_minutes: 30, title: 'x' });
    names['meet_…'] = String((booked.body as Body).meeting_id);
    const moved = await next();
    expect(moved).toMatchObject({ ...done, body: { success: true, understood: [{}, {}, {}], not_understood: [] } });
    names['meet_…'] = String((moved.body as Body).new_meeting_id);
    expect(await next()).toMatchObject({ ...done, body: { status: 'updated' } });
    expect(await next()).toMatchObject({ ...done, body: { status: 'cancelled' } });
  },

  '/docs/limits': async ({ next }) => {
    expect(await next()).toMatchObject({ ...done, body: { usage: { this_month: 0 } } });
  },

  '/docs/proposals': async ({ platform, names, next }) => {
    names['grace@example.com'] = strangersAddress();
    names['ada@example.com'] = await connected(platform);
    const picked = await next();
    expect(picked).toMatchObject({ ...done, body: { times: [{}, {}, {}] } });
    names['ada@example.com'] = await connected(platform);
    const given = await next();
    expect(given).toMatchObject({ ...done, body: { times: [{}, {}, {}] } });
    const made = picked.body as Proposal;
    const open = [(given.body as Proposal).url, made.url];
    expect(await next()).toMatchObject({ ...done, body: { proposals: open.map((url) => ({ url })) } });
    expect(await next()).toMatchObject({ ...done, body: { events: expect.arrayContaining(PROPOSAL_EVENTS) } });
    names['prop_…'] = made.proposal_id;
    names['time_…'] = made.times[0]?.id ?? '';
    const accepted = await next();
    expect(accepted).toMatchObject({ ...done, body: { status: 'accepted', proposal_id: made.proposal_id } });
    names['meet_…'] = String((accepted.body as Proposal).meeting_id);
    expect(await next()).toMatchObject({
      ...done,
      body: { status: 'open', moves_meeting_id: names['meet_…'], times: [{}, {}, {}], not_understood: [] },
    });
  },

  '/docs/rounds': async ({ platform, names, next }) => {
    for (const name of ['ada', 'bob', 'carol']) names[`${name}@example.com`] = await connected(platform);
    const placed = await next();
    expect(placed).toMatchObject({ ...done, body: { total: 2 } });
    const id = String((placed.body as Body).batch_id);
    names['batch_…'] = id;
    await batchIs(platform, id, 'planned');
    expect(await next()).toMatchObject({ ...done, body: { status: 'planned', counts: { placed: 2 } } });
    expect(await next()).toMatchObject(done);
    expect(await next()).toMatchObject({ ...done, body: { events: expect.arrayContaining(['batch.completed']) } });
    expect(await batchIs(platform, id, 'completed')).toMatchObject({ counts: { booked: 2 } });
  },
};

/** Runs the story of a page in a language. Fails if the story leaves a block of the page out. */
export async function tell(path: string, language: Language, run: Runner): Promise<void> {
  const { text } = await createClient(world.baseUrl).send('GET', path);
  const blocks = tabsOf(text)
    .filter(({ curl }) => curl !== undefined)
    .map((one) => one[language]);
  expect(blocks.length).toBeGreaterThan(0);
  const platform = await freshPlatform({ plan: 'enterprise' });
  const names: Record<string, string> = {};
  const env: Record<string, string> = { TANDEM_API_KEY: platform.secret_key };
  let at = 0;
  const next = () => {
    const code = blocks[at];
    at += 1;
    if (code === undefined) throw new Error(`${path} has only ${blocks.length} blocks`);
    return run(
      Object.entries(names).reduce((all, [name, other]) => all.replaceAll(name, other), code),
      env,
    );
  };
  await STORIES[path]?.({ platform, names, env, next });
  expect(at, `blocks of ${path} that its story runs`).toBe(blocks.length);
}
