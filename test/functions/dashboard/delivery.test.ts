import { describe, expect, test } from 'vitest';
import { atDashboard, visit, wordsOf } from '../../support/people/dashboard.ts';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { answerWith, arrived, drain, emitOne, hookOf, type LogPage } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Sends one event to a platform whose endpoint answers like this. Opens the delivery's page. */
async function delivered(answer: Parameters<typeof answerWith>[1], platform?: TestPlatform) {
  const of = platform ?? (await freshPlatform());
  answerWith(of, answer);
  await emitOne(of);
  await drain(of);
  const { deliveries } = (await hookOf(of).logs()).body as LogPage;
  const id = deliveries[0]?.id ?? '';
  const { browser } = await atDashboard(of);
  const open = () => visit(browser, `/dashboard/webhooks/${id}`);
  return { platform: of, id, open, page: await open() };
}

describe('the answer of a receiver', () => {
  test('is on the page of the delivery, for each attempt, and in no answer of the API, row or log line', async () => {
    const platform = await freshPlatform();
    for (const body of ['first private-7f3', 'second private-7f3', 'third private-7f3'])
      answerWith(platform, { status: 500, body, times: 1 });
    const { id, page } = await delivered({ status: 200 }, platform);
    expect(wordsOf(page)).toMatch(
      /Attempt 3.*third private-7f3.*Attempt 2.*second private-7f3.*Attempt 1.*first private-7f3/,
    );
    const told = [await hookOf(platform).log(id), await hookOf(platform).logs()];
    expect(JSON.stringify(told)).not.toContain('private-7f3');
    expect(JSON.stringify(await world.neon.query('select * from delivery_attempts'))).not.toContain('private-7f3');
    expect(world.logs().join('\n')).not.toContain('private-7f3');
  });

  test('is text alone, whoever wrote it', async () => {
    const { page } = await delivered({ status: 500, body: '</code></pre><script>alert(1)</script>\u202Eevil\u0000' });
    expect(page.html).toContain('&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\uFFFDevil\uFFFD');
    expect(page.html).not.toContain('<script>alert');
  });

  test('without a body is said to have none', async () => {
    expect(wordsOf((await delivered({ status: 204 })).page)).toContain('The answer had no body.');
  });

  test('under a key that is gone is not shown, and the page still opens', async () => {
    const { id, open } = await delivered({ status: 500, body: 'no more' });
    await world.neon.query(
      `update delivery_attempts set answer = 'gone.' || split_part(answer, '.', 2) || '.' || split_part(answer, '.', 3)
       where delivery_id = $1`,
      [id],
    );
    const page = await open();
    expect([page.status, wordsOf(page)]).toEqual([
      200,
      expect.stringContaining('The answer can no longer be decrypted.'),
    ]);
  });

  test('of one attempt is not shown for another', async () => {
    const { id, open } = await delivered({ status: 500, body: 'mine' });
    await world.neon.query(
      `update delivery_attempts set answer = (select answer from delivery_attempts where delivery_id = $1 and number = 1)
       where delivery_id = $1 and number = 2`,
      [id],
    );
    expect(wordsOf(await open()).match(/can no longer be decrypted/g)).toHaveLength(1);
  });
});

test('the headers of a request are shown as they were sent, and its signatures are not', async () => {
  const { platform, page } = await delivered({ status: 200 });
  const [request] = arrived(platform);
  const shown = Object.fromEntries(
    [...page.html.matchAll(/<dt>([\w-]+)<\/dt><dd><code>([^<]*)<\/code><\/dd>/g)].map(([, name = '', value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const ours = Object.entries(request?.headers ?? {}).filter(([name]) =>
    /^(?:x-service|webhook)-|^user-agent|^content-type/.test(name),
  );
  const signatures = ours.filter(([name]) => name.includes('signature'));
  expect(shown).toEqual(Object.fromEntries(ours.filter((header) => !signatures.includes(header))));
  expect(signatures.map(([name]) => name).sort()).toEqual(['webhook-signature', 'x-service-signature']);
  for (const [name, value] of signatures) {
    expect(page.html.toLowerCase()).toContain(`<dt>${name}</dt>`);
    expect(page.html).not.toContain(value);
  }
  expect(page.html).not.toContain(platform.webhook_secret);
});

test('a delivery of which nothing was sent shows no headers', async () => {
  const platform = await freshPlatform();
  await world.neon.query("update webhook_endpoints set url = 'https://10.0.0.1/' where platform_id = $1", [
    platform.id,
  ]);
  const { page } = await delivered({ status: 200 }, platform);
  expect(wordsOf(page)).toContain('not sent: the URL must have a host whose IP addresses are all public');
  expect(wordsOf(page)).not.toContain('Request headers');
});
