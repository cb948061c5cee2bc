import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../lib/webhooks/verify.ts';
import { bookable } from '../../support/people/meetings.ts';
import { answerWith, drain, hookOf } from '../../support/people/webhooks.ts';
import { endCommandsAfterAll, envOf, run, start } from '../../support/worlds/command-line.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();
endCommandsAfterAll();

test('trigger makes an event happen in a local world, and tells of its delivery', async () => {
  const { platform } = await bookable();
  const running = run(['trigger', 'meeting.scheduled'], envOf(platform));
  const { code, out, err } = await running;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^meet_\w+ was booked\.\nwh_del_\w+ to https:\S+: success 200\.\n$/);
  const wrong = await run(['trigger', 'meeting.booked'], envOf(platform));
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('must be one of user.calendar.connected') });
  const unmade = await run(['trigger', 'webhook.test'], envOf(platform));
  expect(unmade).toMatchObject({ code: 2, err: expect.stringContaining('must be one of user.calendar.connected') });
});

test('trigger sends a sample where there is no local world', async () => {
  const { platform } = await bookable();
  // A hosted Tandem: this one without the address that tells of its world.
  const hosted = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    if (url === '/.local/world') return response.writeHead(404).end();
    const body = method === 'GET' ? null : await text(request);
    const { authorization = '' } = headers;
    const init = { method, body, headers: { authorization, 'content-type': 'application/json' } };
    const answer = await fetch(world.baseUrl + url, init);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(hosted, 'listening');
  const url = `http://127.0.0.1:${(hosted.address() as AddressInfo).port}`;
  const { code, out } = await run(['trigger', 'meeting.scheduled'], { ...envOf(platform), TANDEM_URL: url });
  hosted.close();
  expect(out).toContain(`A sample of meeting.scheduled was sent, because ${url} has no local world.\n`);
  expect(out).toMatch(/wh_del_\w+ to https:\S+: success 200\.\n$/);
  expect(code).toBe(0);
});

test('listening to a disabled endpoint prints a warning, and --json prints one line of JSON per event', async () => {
  const { platform, body } = await bookable();
  const env = envOf(platform);
  const since = new Date(world.clock.now()).toISOString();
  await platform.api.schedule(body);
  await drain(platform);
  await hookOf(platform).put({ enabled: false });
  const following = start(['webhooks', 'listen', '--json', '--since', since], env);
  const [out, err] = [text(following.stdout), text(following.stderr)];
  await once(following.stdout, 'readable');
  following.kill('SIGINT');
  expect(await err).toMatch(/^The webhook https:\S+ is disabled\. .+\.\n$/);
  expect(
    (await out)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ event: 'meeting.scheduled', status: 'success', forwarded: null }]);
});

test('webhooks are followed, sent on to a local server, signed anew, and sent again', async () => {
  const { platform, body } = await bookable();
  answerWith(platform, { status: 500 });
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const secret = platform.webhook_secret ?? '';
  const url = `http://127.0.0.1:${port}/hook`;
  const since = new Date(world.clock.now()).toISOString();
  const following = start(
    ['webhooks', 'listen', '--forward-to', url, '--secret', secret, '--since', since],
    envOf(platform),
  );
  const said = text(following.stdout);
  const ended = new Promise<number | null>((resolve) => following.once('exit', resolve));
  const { meeting_id } = (await platform.api.schedule(body)).body as { meeting_id: string };
  await expect.poll(() => received.length).toBe(1);
  following.kill('SIGINT');
  expect(await ended).toBe(0);
  receiver.close();
  expect(await said).toMatch(
    new RegExp(
      `^Listening for events and forwarding them to ${url}\\.\\n\\S+ {2}meeting\\.scheduled {2}(wh_del_\\w+) {2}200\\n$`,
    ),
  );
  const [arrived] = received;
  const verified = await verifyWebhook({
    secret,
    headers: arrived?.headers as Record<string, string>,
    body: arrived?.body ?? '',
  });
  expect(verified).toMatchObject({ ok: true, event: { event_type: 'meeting.scheduled', data: { meeting_id } } });

  const [, id = ''] = /(wh_del_\w+)/.exec(await said) ?? [];
  await drain(platform);
  answerWith(platform, { status: 200 });
  const again = await run(['webhooks', 'replay', id], envOf(platform));
  expect(again.out).toMatch(/^Resending wh_\w+ as wh_del_\w+\.\n$/);
  const all = await run(['webhooks', 'replay', '--since', since], envOf(platform));
  expect(all).toMatchObject({ code: 0, out: expect.stringMatching(/event/) });
});
