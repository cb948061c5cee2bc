import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { HOSTILE } from '../../support/checks/forms.ts';
import { rows } from '../../support/checks/rows.ts';
import { connectAgent } from '../../support/people/agents.ts';
import { atDashboard, visit as visitAsOwner, wordsOf } from '../../support/people/dashboard.ts';
import { openInvitation } from '../../support/people/guests.ts';
import { moving } from '../../support/people/move-proposals.ts';
import { answer, answerTo, counter, named, offered, told, visit } from '../../support/people/proposal-pages.ts';
import { accept, made, propose, proposing, readProposal } from '../../support/people/proposing.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const NAME = 'Ada Lovelace';
const look = async (url: string) => told(await visit(url));
const nameOf = (proposal: object) => (proposal as { requester_name: string | null }).requester_name;

test('stands on the page with the address, before and after a time is chosen', async () => {
  const { platform, proposal, ada, id } = await openInvitation({ requester_name: `  ${NAME} ` });
  expect([nameOf(proposal), nameOf(await readProposal(platform, id))]).toEqual([NAME, NAME]);
  const open = await look(proposal.url);
  expect(open.words).toContain(`${NAME} asks you for 30 minutes and offers three times.`);
  expect(open.words).toMatch(new RegExp(`Sent through .+ for ${ada.email} ?\\. If you did not expect this`));
  await accept(platform, id, proposal.times[0]?.id);
  const booked = await look(proposal.url);
  expect(booked.words).toContain(`With ${NAME} ${ada.email} Where`);
  expect(booked.words).toContain(`and tells ${NAME} .`);
  const file = (await visit(`${proposal.url}/meeting.ics`)).text.replaceAll('\r\n ', '');
  expect(file).toContain(`\r\nORGANIZER;CN="${NAME}":mailto:${ada.email}\r\n`);
});

test('is null if the platform gives none, and the page shows the address alone', async () => {
  const { platform, proposal, ada, id } = await made();
  expect(nameOf(proposal)).toBeNull();
  expect((await look(proposal.url)).words).toContain(`${ada.email} asks you`);
  await accept(platform, id, proposal.times[0]?.id);
  const file = (await visit(`${proposal.url}/meeting.ics`)).text.replaceAll('\r\n ', '');
  expect(file).toContain(`\r\nORGANIZER:mailto:${ada.email}\r\n`);
});

test.each(HOSTILE.filter((one) => !/\p{Cc}/u.test(one)))('stays text: %j', async (text) => {
  const name = text.slice(0, 100).trim();
  const { platform, proposal, id } = await made({ requester_name: name });
  const page = await visit(proposal.url);
  expect(page.status).toBe(200);
  expect(page.text).not.toMatch(/<(?:script(?! data-zone)|img|svg onload|iframe)/);
  await accept(platform, id, proposal.times[0]?.id);
  const lines = (await visit(`${proposal.url}/meeting.ics`)).text.replaceAll('\r\n ', '').split('\r\n');
  expect(lines.filter((line) => line.startsWith('ORGANIZER'))).toEqual([
    expect.stringMatching(/^ORGANIZER;CN="[^"]*":mailto:\S+$/),
  ]);
});

describe('bad input', async () => {
  const { platform, body } = await proposing();
  test.each([
    ['', 'must not be empty'],
    ['x'.repeat(101), 'must have at most 100 characters'],
    ['Ada\nLovelace', 'must be one line without control characters'],
    [7, 'must be a string, not a number'],
  ])('%j', async (requester_name, message) => {
    const field = 'requester_name';
    const { status, body: refusal } = await propose(platform, { ...body, requester_name });
    expect([status, refusal]).toEqual([
      400,
      wholeError({ error: { code: 'invalid_request', field, message: `\`${field}\` ${message}.` } }),
    ]);
  });
});

test('is kept by an answer with other times', async () => {
  const { platform, url, id, days } = await offered({ requester_name: NAME });
  expect((await counter(url, `${named(days[1])} before noon`)).status).toBe(303);
  const next = await answerTo(platform, id);
  expect(nameOf(next)).toBe(NAME);
  expect((await look(next.url)).words).toContain(`${NAME} can meet you`);
});

test('can be given for a move', async () => {
  const { proposal } = await moving({ requester_name: NAME });
  expect((await look(proposal.url)).words).toContain(`${NAME} asks you to move this meeting`);
});

test('is erased with the requester, and stays when the other person is erased', async () => {
  const one = await made({ requester_name: NAME });
  const { api_key } = await world.connect(one.platform, one.ada.email);
  expect((await createClient(world.baseUrl, api_key).send('DELETE', '/v1/user')).status).toBe(200);
  const other = await openInvitation({ requester_name: NAME });
  expect((await other.platform.api.send('DELETE', `/v1/users/${other.guest}`)).status).toBe(200);
  const names = await rows<{ name: string | null; id: string }>(
    'select requester_name as name, id from proposals where platform_id = any($1)',
    [one.platform, other.platform],
  );
  expect(new Map(names.map(({ id, name }) => [id, name]))).toEqual(
    new Map([
      [one.id, null],
      [other.id, NAME],
    ]),
  );
});

test('can be given by an agent, and is on the dashboard', async () => {
  const { platform, body } = await proposing();
  const agent = await connectAgent(platform.secret_key);
  const { data } = await agent.call('propose_times', { ...body, requester_name: NAME });
  expect(nameOf(await readProposal(platform, data.proposal_id))).toBe(NAME);
  const { browser } = await atDashboard(platform);
  expect(wordsOf(await visitAsOwner(browser, `/dashboard/proposals/${data.proposal_id}`))).toContain(
    `Requester ${body.attendees[0]} Shown as ${NAME}`,
  );
});

test('is what the page says after a decline too', async () => {
  const { proposal } = await made({ requester_name: NAME });
  await answer(proposal.url, { answer: 'decline' });
  expect((await look(proposal.url)).words).toContain(`ask ${NAME} for new times`);
});
