import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { inThePast, refusal, refusals } from '../../support/checks/errors.ts';
import { rows } from '../../support/checks/rows.ts';
import { connectAgent } from '../../support/people/agents.ts';
import { atDashboard, visit as visitAsOwner, wordsOf } from '../../support/people/dashboard.ts';
import { ownClient } from '../../support/people/factories.ts';
import { booked, iso, seen } from '../../support/people/meetings.ts';
import { moveOf, moving } from '../../support/people/move-proposals.ts';
import { answer, look, visit } from '../../support/people/proposal-pages.ts';
import {
  accept,
  bodyFor,
  made,
  openInvitation,
  propose,
  proposing,
  readProposal,
} from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const at = (time = '') => Date.parse(time);

const TOO_SOON =
  'With `on_expiry` `book_first`, every time in `times` must be more than 15 minutes from now, because Tandem books 15 minutes before the earliest time.';

describe('bad input names its field', async () => {
  const { platform, ada, bob } = await proposing();
  const body = bodyFor({ ada, bob });
  const COUNT = '`count` must be a whole number from 1 to 5.';
  const HOURS = '`expires_in_hours` must be a whole number from 1 to 336.';
  const MANY = '`times` must have 1 to 5 entries.';
  test.each([
    ...refusals('invalid_request', 'count', [
      ['times and a count', { count: 3 }, '`count` must not be sent together with `times`.'],
      ['a count of none', { times: undefined, count: 0 }, COUNT],
      ['a count of six', { times: undefined, count: 6 }, COUNT],
    ]),
    ...refusals('invalid_time', 'times', [
      ['an empty list', { times: [] }, MANY],
      ['six times', { times: Array.from({ length: 6 }, (_, n) => iso(at(body.times[0]) + n * HOUR)) }, MANY],
      [
        'one time twice',
        { times: [body.times[0], body.times[0]?.replace('Z', '+00:00')] },
        '`times` must not name the same time twice.',
      ],
      ['a past time', { times: ['2020-01-08T14:00:00Z'] }, inThePast('times')],
      [
        'a time that is too far',
        { times: [iso(world.clock.now() + 401 * 24 * HOUR)] },
        '`times` must be at most 400 days from now.',
      ],
      [
        'a time in 15 minutes, whose booking at the expiry would be due at once',
        { times: [iso(world.clock.now() + 15 * MINUTE), body.times[0]], on_expiry: 'book_first' },
        TOO_SOON,
      ],
    ]),
    ...refusals('invalid_time', 'times.0', [
      [
        'a time without an offset',
        { times: ['2030-01-08T14:00:00'] },
        '`times.0` must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00.',
      ],
    ]),
    ...refusals('invalid_request', 'expires_in_hours', [
      ['no hours', { expires_in_hours: 0 }, HOURS],
      ['too many hours', { expires_in_hours: 337 }, HOURS],
    ]),
    ...refusals('invalid_request', 'on_expiry', [
      ['an unknown effect of the expiry', { on_expiry: 'book' }, '`on_expiry` must be one of cancel, book_first.'],
    ]),
    ...refusals('invalid_request', 'title', [
      ['no title', { title: undefined }, '`title` is required. Send it with the request.'],
    ]),
  ])('%s', async (_what, change, answer) => {
    expect(seen(await propose(platform, { ...body, ...(change as object) }))).toEqual(answer);
  });
});

describe('bad input for a move names its field', async () => {
  const meeting = await booked();
  const other = await booked();
  const body = moveOf(meeting);
  const KEEPS = 'must not be sent together with `meeting_id`, because the meeting keeps its own.';
  test.each([
    ...refusals('invalid_request', 'title', [['a title', { title: 'Another' }, `\`title\` ${KEEPS}`]]),
    ...refusals('invalid_request', 'metadata', [['metadata', { metadata: { deal: 'D-1' } }, `\`metadata\` ${KEEPS}`]]),
    ...refusals('invalid_attendees', 'attendees', [
      [
        'other attendees',
        { attendees: [meeting.ada.email, other.bob.email] },
        `\`attendees\` must be the attendees of the meeting, ${meeting.ada.email} and ${meeting.bob.email}, in this order. You may leave the field out.`,
      ],
    ]),
    ...refusals('invalid_time', 'times', [
      [
        'a time in 15 minutes, whose booking at the expiry would be due at once',
        { times: [iso(world.clock.now() + 15 * MINUTE)], on_expiry: 'book_first' },
        TOO_SOON,
      ],
      [
        'the time that the meeting has',
        { times: [iso(meeting.start)] },
        '`times` must not include the time that the meeting has.',
      ],
    ]),
  ])('%s', async (_what, change, answer) => {
    expect(seen(await propose(meeting.platform, { ...body, ...(change as object) }))).toEqual(answer);
  });

  test('a meeting that does not exist, was cancelled, or is another platform’s', async () => {
    expect(await propose(meeting.platform, { ...body, meeting_id: 'meet_none' })).toMatchObject(
      refusal(404, 'meeting_not_found'),
    );
    expect(await propose(meeting.platform, { ...body, meeting_id: other.id })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    await other.platform.api.send('DELETE', `/v1/meetings/${other.id}`);
    expect(await propose(other.platform, moveOf(other))).toMatchObject(refusal(404, 'meeting_not_found'));
  });

  test('a meeting that begins within 15 minutes', async () => {
    const soon = await booked({ start: Math.ceil(world.clock.now() / MINUTE) * MINUTE + 10 * MINUTE });
    expect(await propose(soon.platform, moveOf(soon))).toMatchObject(
      refusal(400, 'invalid_request', { field: 'meeting_id' }),
    );
  });

  test('a person who disconnected', async () => {
    const gone = await booked();
    await gone.platform.api.disconnect(gone.bob.email);
    expect(await propose(gone.platform, moveOf(gone))).toMatchObject(refusal(404, 'calendar_reconnect_required'));
  });
});

const NAME = 'Ada Lovelace';
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

describe('bad input', async () => {
  const { platform, body } = await proposing();
  test.each([
    ['', 'must not be empty'],
    ['x'.repeat(101), 'must have at most 100 characters'],
    ['Ada\nLovelace', 'must be one line without control characters'],
    [7, 'must be a string, not a number'],
  ])('%j', async (requester_name, message) => {
    const field = 'requester_name';
    expect(seen(await propose(platform, { ...body, requester_name }))).toEqual(
      refusal(400, 'invalid_request', { field, message: `\`${field}\` ${message}.` }),
    );
  });
});

test('can be given for a move', async () => {
  const { proposal } = await moving({ requester_name: NAME });
  expect((await look(proposal.url)).words).toContain(`${NAME} asks you to move this meeting`);
});

test('is erased with the requester, and stays when the other person is erased', async () => {
  const one = await made({ requester_name: NAME });
  const own = await ownClient(one.platform, one.ada.email);
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
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

const wished = async (more: object) => {
  const { platform, body } = await proposing();
  const { times, ...rest } = body;
  return { platform, body: { ...rest, ...more }, times };
};

test('a proposal offers times that its words ask for', async () => {
  const { platform, body } = await wished({ when: 'after 3pm, a week later', count: 3 });
  const { status, body: made } = await propose(platform, body);
  expect({ status, made }).toMatchObject({
    status: 201,
    made: {
      understood: [{ quote: 'after 3pm' }],
      not_understood: ['a week later'],
      warnings: [expect.stringContaining('“a week later”')],
    },
  });
  const { times } = made as { times: { reason: string }[] };
  expect(times).toHaveLength(3);
  for (const { reason } of times) expect(reason).toMatch(/ at 1[567]:\d\d in London/);
});

test('a proposal of which no time meets the words is not made, and the error names them', async () => {
  const { platform, body } = await wished({ when: 'between 21:00 and 22:00' });
  expect(await propose(platform, body)).toMatchObject(
    refusal(409, 'no_availability', { message: expect.stringContaining('“between 21:00 and 22:00”') }),
  );
});

test.each(['when', 'time_ranges'])('%s is refused beside given times', async (field) => {
  const { platform, body, times } = await wished({});
  const [start] = times;
  const more = field === 'when' ? { when: 'afternoons' } : { time_ranges: [{ start, end: '2990-01-01T00:00:00Z' }] };
  expect(await propose(platform, { ...body, times, ...more })).toMatchObject({
    status: 400,
    body: { error: { field } },
  });
});
