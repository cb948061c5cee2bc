import { describe, expect, test } from 'vitest';
import {
  atDashboard,
  expectSaid,
  fieldOf,
  freshDashboard,
  linkIn,
  lookingAt,
  visit,
  wordsOf,
} from '../../support/people/dashboard.ts';
import { webhooksOf } from '../../support/people/factories.ts';
import { moving } from '../../support/people/move-proposals.ts';
import {
  accept,
  decline,
  made,
  openInvitation,
  passUntil,
  proposed,
  readProposal,
  withdraw,
} from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const PATH = '/dashboard/proposals';
type Scene = Awaited<ReturnType<typeof made>>;

const pageOf = async ({ platform, id }: Pick<Scene, 'platform' | 'id'>) => {
  const { browser } = await atDashboard(platform);
  return { browser, page: await visit(browser, `${PATH}/${id}`) };
};

describe('the list', () => {
  test('shows open proposals, the next to expire first, and ended ones on request', async () => {
    const scene = await made({ title: 'Late one', expires_in_hours: 40 });
    const { platform, body } = scene;
    const soon = await proposed(platform, { ...body, title: 'Soon one', times: undefined, expires_in_hours: 2 });
    const over = await proposed(platform, { ...body, title: 'Over one', times: undefined, count: 1 });
    await withdraw(platform, over.proposal_id);
    const { browser } = await atDashboard(platform);
    const open = await visit(browser, PATH);
    expect(wordsOf(open)).toMatch(/Soon one.*Late one/);
    expect(wordsOf(open)).not.toContain('Over one');
    const year = soon.expires_at > `${new Date(world.clock.now()).getUTCFullYear() + 1}` ? ' 20\\d\\d' : '';
    expect(wordsOf(open)).toMatch(
      new RegExp(`Soon one 3 times ${body.attendees.join(' ')} \\w+ \\d+ \\w+${year}, \\d\\d:\\d\\d Open`),
    );
    expect(open.html).toContain(`href="${PATH}/${soon.proposal_id}"`);
    expect(wordsOf(await visit(browser, `${PATH}?status=any`))).toMatch(/Over one.*Soon one.*Late one/);
    const withdrawn = wordsOf(await visit(browser, `${PATH}?status=withdrawn`));
    expect([withdrawn.includes('Over one'), withdrawn.includes('Soon one')]).toEqual([true, false]);
  });

  test('filters by person, and names a filter that is wrong', async () => {
    const { platform, ada, id } = await openInvitation();
    const { browser } = await atDashboard(platform);
    const has = async (query: string) => (await visit(browser, `${PATH}?${query}`)).html.includes(id);
    expect(await has(`email=${ada.email}`)).toBe(true);
    expect(await has('email=no.one@people.test&status=open')).toBe(false);
    expect(wordsOf(await visit(browser, `${PATH}?email=no.one@people.test`))).toContain('No proposals match');
    for (const query of ['status=odd', 'email=nobody', 'cursor=nonsense'])
      expect([query, (await visit(browser, `${PATH}?${query}`)).status]).toEqual([query, 400]);
  });

  test('comes in pages, in the order of their expiry', async () => {
    const { platform } = await made({ expires_in_hours: 300 });
    await world.neon.query(
      `insert into proposals (id, platform_id, requester_id, other_id, requester_email, other_email, status,
        duration_minutes, title, location, expires_at, created_at)
       select id || n, platform_id, requester_id, other_id, requester_email, other_email, status, 30,
        'Copy ' || n || '.', location, expires_at - interval '1 hour' * (n + 1), created_at
       from proposals, generate_series(0, 25) n where platform_id = $1`,
      [platform.id],
    );
    await world.neon.query(
      `insert into proposal_times (id, proposal_id, position, starts_at, ends_at, reason, status)
       select 'time_' || id, id, 0, now(), now() + interval '1 hour', 'Soon.', 'released'
       from proposals where platform_id = $1 and title like 'Copy %'`,
      [platform.id],
    );
    const { browser } = await atDashboard(platform);
    const first = await visit(browser, PATH);
    expect(wordsOf(first)).toMatch(/Copy 25\..*Copy 24\..*Copy 1\./);
    expect(wordsOf(first)).not.toContain('Copy 0.');
    const next = linkIn(first, /href="(\/dashboard\/proposals\?[^"]*cursor=[^"]+)"/);
    const rest = wordsOf(await visit(browser, next.replaceAll('&amp;', '&')));
    expect(rest).toMatch(/Copy 0\..*Contract questions/);
    expect(rest).not.toContain('Copy 1.');
  });

  test('without proposals says what they are', async () => {
    const { browser } = await freshDashboard();
    expect(wordsOf(await visit(browser, PATH))).toContain('No open proposals');
  });
});

describe('a proposal', () => {
  test('shows its facts, its times and the link to copy while it is open', async () => {
    const { platform, ada, guest, proposal, id } = await openInvitation({ metadata: { order: '1042' } });
    const { page } = await pageOf({ platform, id });
    const words = wordsOf(page);
    expect(words).toContain('Status Open');
    expect(words).toContain(`Requester ${ada.email} Invited ${guest} Not connected`);
    expect(page.html).toContain(`<a href="/dashboard/people/${encodeURIComponent(ada.email)}">`);
    expect(page.html).not.toContain(`/dashboard/people/${encodeURIComponent(guest)}`);
    expect(words).toContain('Length 30 minutes');
    expect(words).toContain('order 1042');
    expect(words).toContain('Made, with 3 times to choose from.');
    for (const { reason } of proposal.times) expect(words).toContain(`${reason} Held`);
    expect(fieldOf(page, 'link')?.trim()).toBe(proposal.url);
  });

  test('that was accepted links to its meeting, and shows the time and the delivery', async () => {
    const scene = await made();
    const { platform, id, proposal } = scene;
    const { body } = await accept(platform, id, proposal.times[1]?.id);
    await webhooksOf(platform);
    const { page } = await pageOf(scene);
    const words = wordsOf(page);
    expect(words).toContain('Status Accepted');
    expect(page.html).toContain(`href="/dashboard/meetings/${(body as { meeting_id: string }).meeting_id}"`);
    expect(words).toContain(`${proposal.times[1]?.reason} Accepted`);
    expect(words).toContain(`${proposal.times[0]?.reason} Free again`);
    expect(words).toMatch(
      /Made, with 3 times to choose from\..*A time was accepted, and the meeting booked\..*Delivered proposal\.accepted to .* on the first attempt: answered 200\. See the delivery/,
    );
    expect(fieldOf(page, 'link')).toBeUndefined();
    expect(words).not.toContain('Withdraw the proposal');
  });

  test('that moves a meeting links to the meeting as it was and as it is', async () => {
    const { meeting, proposal, id } = await moving();
    const { browser, page } = await pageOf({ platform: meeting.platform, id });
    expect(page.html).toContain(`href="/dashboard/meetings/${meeting.id}"`);
    const { body } = await accept(meeting.platform, id, proposal.times[0]?.id);
    const moved = await visit(browser, `${PATH}/${id}`);
    expect(wordsOf(moved)).toContain('A time was accepted, and the meeting moved there.');
    for (const one of [meeting.id, (body as { meeting_id: string }).meeting_id])
      expect(moved.html).toContain(`href="/dashboard/meetings/${one}"`);
  });

  test.each([
    [
      'a decline',
      ({ platform, id }: Scene) => decline(platform, id, { reason: 'On ”leave＂. “' }),
      'Declined, with the reason “On &#39;leave&#39;. &#39;”.',
    ],
    ['its expiry', ({ proposal }: Scene) => passUntil(proposal.expires_at), 'Expired.'],
    ['its withdrawal', ({ platform, id }: Scene) => withdraw(platform, id), 'Withdrawn by the platform.'],
  ])('tells %s, and the deliveries of no other proposal', async (_what, end, sentence) => {
    const scene = await made();
    const other = await proposed(scene.platform, { ...scene.body, times: undefined, count: 1 });
    await withdraw(scene.platform, other.proposal_id);
    await end(scene);
    await webhooksOf(scene.platform);
    const { page } = await pageOf(scene);
    const words = wordsOf(page);
    expect(words).toContain(sentence);
    expect(words.match(/See the delivery/g)).toHaveLength(1);
  });

  test('of another platform, or with an ID that is none, is not found', async () => {
    const scene = await made();
    const { browser } = await freshDashboard();
    for (const id of [scene.id, '%00', '%3Cscript%3E', 'x'.repeat(100)]) {
      const page = await visit(browser, `${PATH}/${id}`);
      expectSaid(page, 404, 'has no proposal with the ID');
    }
  });
});

describe('the button to withdraw', () => {
  test('says how a proposal ended that is no longer open', async () => {
    const scene = await made();
    const { browser, page } = await pageOf(scene);
    await decline(scene.platform, scene.id);
    const answer = await browser.submit(page, '/withdraw');
    expectSaid(answer, 409, 'it is declined');
    expect(wordsOf(answer)).toContain('Status Declined');
  });

  test('is refused for a proposal of another platform', async () => {
    const [mine, theirs] = await Promise.all([made(), made()]);
    const { browser, page } = await pageOf(mine);
    const moved = { ...page, html: page.html.replaceAll(mine.id, theirs.id) };
    expect((await browser.submit(moved, '/withdraw')).status).toBe(404);
    for (const { platform, id } of [mine, theirs]) expect((await readProposal(platform, id)).status).toBe('open');
  });

  test('and the link are not there for a read-only session', async () => {
    const scene = await made();
    const { browser } = await lookingAt(scene.platform);
    const page = await visit(browser, `${PATH}/${scene.id}`);
    expect(wordsOf(page)).toContain('Status Open');
    expect(page.html).not.toContain(scene.proposal.url);
    expect(page.html).not.toContain('/withdraw');
  });
});
