import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { TOOLS } from '../../../lib/tools/tools.ts';
import { clockIn, dateIn, whenForBoth } from '../../../lib/words/people.ts';
import { connectAgent, message, withAgent } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { bookable, booked, eventOf, freshPair, inHours, iso, liveEvents } from '../../support/people/meetings.ts';
import { heldFor } from '../../support/people/proposing.ts';
import { createClient } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const STALE =
  'invalid_request: `confirm_token` is not valid. A `confirm_token` works for 10 minutes, with the API key that requested the preview. Request a new preview.';

async function previewed() {
  const { agent, platform, ada, bob, body: args } = await withAgent(bookable());
  const { data } = await agent.call('schedule_meeting', { ...args, preview: true });
  return { platform, ada, bob, args, agent, token: data.confirm_token as string };
}

describe('a confirm_token', () => {
  test('is for its arguments, whatever their order or spelling of the same', async () => {
    const { ada, bob, args, agent, token } = await previewed();
    expect(await agent.refusal('schedule_meeting', { ...args, duration_minutes: 60, confirm_token: token })).toBe(
      'invalid_request: `confirm_token` belongs to a preview with other arguments. Send exactly the arguments of the preview, or request a new preview.',
    );
    const same = {
      confirm_token: token,
      title: ' Intro ',
      duration_minutes: 30,
      start_time: args.start_time.replace('Z', '+00:00'),
      attendees: [ada.email.toUpperCase(), bob.email],
      preview: false,
    };
    const done = await agent.call('schedule_meeting', same);
    expect(done.data).toMatchObject({ status: 'scheduled' });
  });

  test('is not for a call that asks for a preview too: nothing is done', async () => {
    const { ada, args, agent, token } = await previewed();
    expect(await agent.refusal('schedule_meeting', { ...args, preview: true, confirm_token: token })).toBe(
      'invalid_request: `preview` and `confirm_token` contradict each other, so nothing was done. To confirm, leave `preview` out. For a new preview, leave `confirm_token` out.',
    );
    expect(liveEvents(ada.email)).toEqual([]);
  });

  test('or `preview` that is empty does nothing, and null is not given', async () => {
    const { ada, args, agent } = await previewed();
    for (const name of ['preview', 'confirm_token'])
      for (const empty of ['', ' ', {}, []]) {
        const { isError, text } = await agent.call('schedule_meeting', { ...args, [name]: empty });
        expect([name, empty, isError, text]).toEqual([name, empty, true, expect.stringContaining(`\`${name}\``)]);
      }
    expect(liveEvents(ada.email)).toEqual([]);
    const { data } = await agent.call('schedule_meeting', { ...args, preview: null, confirm_token: null });
    expect(data.status).toBe('scheduled');
  });

  test('is done once, however many confirm it at once', async () => {
    const { ada, args, agent, token } = await previewed();
    const confirm = () => agent.call('schedule_meeting', { ...args, confirm_token: token });
    const answers = await Promise.all([confirm(), confirm(), confirm()]);
    expect(new Set(answers.map(({ data }) => data.meeting_id)).size).toBe(1);
    expect(liveEvents(ada.email)).toHaveLength(1);
  });

  test('does not have the hash under which the key is stored', async () => {
    const { platform, token } = await previewed();
    const sql = 'select hash from api_keys where platform_id = $1 and kind = $2';
    const [{ hash } = {}] = await world.neon.query(sql, [platform.id, 'secret']);
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    expect(claims).toContain('"sub":');
    expect([typeof hash, claims.includes(String(hash))]).toEqual(['string', false]);
  });

  test('is for the key that asked, not for another platform nor for a person', async () => {
    const { ada, bob, args, token } = await previewed();
    const other = await freshPlatform({ plan: 'enterprise' });
    await world.connectCalendar(other, ada.email);
    await world.connectCalendar(other, bob.email);
    const stranger = await connectAgent(other.secret_key);
    expect(await stranger.refusal('schedule_meeting', { ...args, confirm_token: token })).toBe(STALE);
    const { api_key } = await world.connect(other, ada.email);
    const person = await connectAgent(api_key);
    expect((await person.call('update_preferences', { buffer_minutes: 15, confirm_token: token })).text).toBe(STALE);
    expect(liveEvents(ada.email)).toEqual([]);
  });

  test('ends with the key that asked, and a newer key of the same platform cannot confirm it', async () => {
    const { platform, ada, args, token } = await previewed();
    const { body } = await platform.api.send('POST', '/v1/platform/regenerate-key');
    const newer = await connectAgent((body as { api_key: string }).api_key);
    expect(await newer.refusal('schedule_meeting', { ...args, confirm_token: token })).toBe(STALE);
    expect(liveEvents(ada.email)).toEqual([]);
  });

  test('ends after ten minutes, and nothing that was changed in it is taken', async () => {
    const { ada, args, agent, token } = await previewed();
    const [head = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 3600 })).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const bad of [`${head}.${forged}.${signature}`, `${none}.${payload}.`, `${token.slice(0, -2)}AA`, 'x', '..']) {
      const { text, isError } = await agent.call('schedule_meeting', { ...args, confirm_token: bad });
      expect([bad, isError, text]).toEqual([bad, true, STALE]);
    }
    await world.advance(10 * 60_000 + 1_000);
    const late = await agent.call('schedule_meeting', { ...args, confirm_token: token });
    expect(late.text).toBe(STALE);
    expect(liveEvents(ada.email)).toEqual([]);
  });
});

describe('a preview quotes every text that reaches others, or the beginning of it', () => {
  /** Texts that reach nobody, or of which the preview shows the reading. */
  const REACH_NOBODY = ['meeting_id', 'requested_by', 'when', 'idempotency_key', 'confirm_token'];
  const KNOWN: Record<string, string> = { guest_time_zone: 'Europe/Madrid', reason: 'I am ill that day' };
  const LONG = 'Sign in at "evil.test". '.repeat(20);

  test.each(TOOLS.flatMap((tool) => (tool.preview && tool.for === 'platform' ? [[tool.name, tool] as const] : [])))(
    '%s',
    async (name, { input }) => {
      const { platform, ada, bob, id: meeting_id } = await booked();
      const attendees = [ada.email, bob.email];
      const all = { attendees, start_time: iso(inHours(48)), duration_minutes: 30, requested_by: ada.email };
      const given = Object.entries({ ...(/^(?:re|can)/.test(name) && { meeting_id }), ...all });
      const texts = Object.entries(input.shape).flatMap(([field, schema]): [string, string][] => {
        const value = KNOWN[field] ?? (field === 'description' ? LONG : `The ${field} of "evil.test"`);
        return REACH_NOBODY.includes(field) || !z.safeParse(schema, value).success ? [] : [[field, value]];
      });
      const known = Object.fromEntries(given.filter(([field]) => field in input.shape));
      const args = { ...known, ...Object.fromEntries(texts), preview: true };
      const { data, text } = await (await connectAgent(platform.secret_key)).call(name, args);
      const asker = await connectAgent(platform.secret_key, { say: () => 'no' });
      await asker.call(name, args);
      for (const [field, value] of texts) {
        const shown = value === LONG ? `${value.slice(0, 200)}…` : value;
        for (const said of [text, asker.asked[0]]) expect(said).toContain(JSON.stringify(shown));
        expect({ ...data, ...data.details }[field]).toBe(shown);
      }
    },
  );
});

type Booked = Awaited<ReturnType<typeof booked>>;

/** Changes everything about a meeting that a preview shows, as its platform may at any time. */
async function changed({ platform, ada, id, start: former }: Booked) {
  const { email } = await connectedPerson(platform, { name: 'cyd', timezone: 'Europe/London' });
  const [start, end] = [iso(former + 2 * HOUR), iso(former + 3 * HOUR)];
  const change = { start_time: start, end_time: end, attendees: [ada.email, email] };
  expect((await platform.api.send('PUT', `/v1/meetings/${id}`, change)).status).toBe(200);
  return { start, end, shows: email };
}

/** Moves the event in the calendar, of which Tandem reads nothing yet. */
async function moved({ ada, eventId, start: former }: Booked) {
  world.google.settings.pushes = 'lost';
  const [start, end] = [iso(former + 3 * HOUR), iso(former + 4 * HOUR)];
  world.google.patchEvent({ email: ada.email, eventId, start, end });
  return { start, end, shows: start.replace('.000', '') };
}

describe('what was previewed and has changed since is not done, but previewed anew', () => {
  const CHANGED = /^Nothing has been done, because what the preview showed has changed since\. This would /;
  const toolsOf = ({ ada }: Booked) => ({
    cancel_meeting: {},
    reschedule_meeting: { requested_by: ada.email, reason: 'I am ill that day' },
    propose_times: { count: 2 },
  });

  test.each(
    (['cancel_meeting', 'reschedule_meeting', 'propose_times'] as const).flatMap((tool) =>
      [changed, moved].map((change) => [tool, change.name, change] as const),
    ),
  )('%s of a meeting that was %s', async (tool, _, change) => {
    const meeting = await booked();
    const { platform, ada, eventId, id } = meeting;
    const agent = await connectAgent(platform.secret_key);
    const args = { meeting_id: id, ...toolsOf(meeting)[tool] };
    const first = await agent.call(tool, { ...args, preview: true });
    const { shows, ...times } = await change(meeting);
    const { isError, data, text } = await agent.call(tool, { ...args, confirm_token: first.data.confirm_token });
    expect([isError, data.status, text]).toEqual([false, 'preview', expect.stringMatching(CHANGED)]);
    if (tool === 'cancel_meeting' || change === changed) expect(text).toContain(shows);
    expect(eventOf(ada, eventId)).toMatchObject({ status: 'confirmed', ...times });
    expect(await heldFor(platform)).toBe(0);
    const done = await agent.call(tool, { ...args, confirm_token: data.confirm_token });
    expect(done.data.status).toMatch(/^(cancelled|rescheduled|open)$/);
  });

  test.each([
    [true, /^slot_unavailable: /],
    [false, /^Booked "Intro" /],
  ])('schedule_meeting at a time that was taken within the second, with require_free: %s', async (free, then) => {
    const { agent, ada, bob, body } = await withAgent(bookable());
    const args = { ...body, require_free: free };
    const first = await agent.call('schedule_meeting', { ...args, preview: true });
    world.google.addBusy({ email: bob.email, start: first.data.start_utc, end: first.data.end_utc });
    const second = await agent.call('schedule_meeting', { ...args, confirm_token: first.data.confirm_token });
    expect([second.data.status, second.text]).toEqual(['preview', expect.stringMatching(CHANGED)]);
    expect(second.data.conflicts).toEqual([...first.data.conflicts, expect.stringMatching(/^For Bob, .* is not free/)]);
    expect(liveEvents(ada.email)).toEqual([]);
    const third = () => agent.call('schedule_meeting', { ...args, confirm_token: second.data.confirm_token });
    const done = await third();
    expect(done.text).toMatch(then);
    expect(await third()).toEqual(done);
  });

  async function ownAgent() {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const { api_key } = await world.connect(platform, (await connectedPerson(platform)).email);
    return { agent: await connectAgent(api_key), person: createClient(world.baseUrl, api_key) };
  }

  test('update_preferences', async () => {
    const { agent } = await ownAgent();
    const first = await agent.call('update_preferences', { buffer_minutes: 15, preview: true });
    await agent.call('update_preferences', { buffer_minutes: 30 });
    const confirm = (token: string) => agent.call('update_preferences', { buffer_minutes: 15, confirm_token: token });
    const second = await confirm(first.data.confirm_token);
    expect(second.text).toMatch(CHANGED);
    expect(second.text).toContain('buffer_minutes from 30 to 15');
    expect(second.text).toContain('\nNobody has agreed to this: tell the person what has changed, and ');
    const saved = { status: 'updated', preferences: { buffer_minutes: 15 } };
    expect((await confirm(second.data.confirm_token)).data).toMatchObject(saved);
  });

  test.each([
    ['buffer_minutes', 15],
    ['scheduling_context', 'No meetings on Fridays, please.'],
  ])('update_preferences of %s, though the change comes between the look and the write', async (name, value) => {
    const { agent, person } = await ownAgent();
    const args = { [name]: value };
    const { data } = await agent.call('update_preferences', { ...args, preview: true });
    const write = hold({ target: 'neon', body_match: 'update .{2}users.{2} set .{2}preferences', times: 1 });
    const confirmed = agent.call('update_preferences', { ...args, confirm_token: data.confirm_token });
    await met(write);
    const changed = await person.send('PUT', '/v1/user/preferences', { buffer_minutes: 30 });
    expect(changed.status).toBe(200);
    write.release();
    expect((await confirmed).text).toMatch(CHANGED);
    const kept = { preferences: { buffer_minutes: 30 }, rules: [] };
    expect((await person.send('GET', '/v1/user/preferences')).body).toMatchObject(kept);
  });

  test('a user who is asked is asked again', async () => {
    const meeting = await booked();
    let change: ReturnType<typeof changed> | undefined;
    const say = async () => {
      change ??= changed(meeting);
      await change;
      return 'yes' as const;
    };
    const agent = await connectAgent(meeting.platform.secret_key, { say });
    const { data } = await agent.call('cancel_meeting', { meeting_id: meeting.id, preview: true });
    expect(data.status).toBe('cancelled');
    const cyd = (await change)?.shows;
    const again = `This has changed since the last question. Cancel "Intro" of ${meeting.ada.email} and ${cyd} on `;
    expect(agent.asked).toEqual([expect.stringMatching(/^Cancel "Intro" of /), expect.stringContaining(again)]);
  });
});

describe('a client that can ask its user', () => {
  test('asks them what the preview says, and does it when they agree', async () => {
    const { agent, ada, eventId, id } = await withAgent(booked(), { say: () => 'yes' });
    const { data } = await agent.call('cancel_meeting', { meeting_id: id, preview: true });
    expect(data).toMatchObject({ status: 'cancelled', meeting_id: id });
    expect(agent.asked).toEqual([
      expect.stringMatching(/^Cancel "Intro" of \S+ and \S+ on .*\? The cancellation could not be undone\.$/),
    ]);
    expect(eventOf(ada, eventId)?.status ?? 'cancelled').toBe('cancelled');
  });

  test.each([
    ['cancel_meeting', (people: string, when: string) => `Cancel "Intro" of ${people} on ${when}?`],
    ['reschedule_meeting', (people: string, when: string) => `Move "Intro" of ${people} from ${when} to `],
    ['propose_times', (people: string, when: string) => ` with ${people.split(' ')[0]} instead of ${when}, 30 minutes`],
  ])('names for %s the meeting and its present time, and so does the text', async (tool, question) => {
    const { platform, ada, bob, id, start } = await booked({ start: inHours(52) });
    const rest = tool === 'reschedule_meeting' ? { requested_by: ada.email, reason: 'Another day' } : {};
    const agent = await connectAgent(platform.secret_key, { say: () => 'no' });
    await agent.call(tool, { meeting_id: id, ...rest, preview: true });
    const when = whenForBoth(start, [
      { email: ada.email, timeZone: ada.timezone },
      { email: bob.email, timeZone: bob.timezone },
    ]);
    expect(agent.asked).toEqual([expect.stringContaining(question(`${ada.email} and ${bob.email}`, when))]);
    const reader = await connectAgent(platform.secret_key);
    const { data, text } = await reader.call(tool, { meeting_id: id, ...rest, preview: true });
    expect([data.title, text]).toEqual(['Intro', expect.stringContaining(`"Intro", ${id}, `)]);
    expect(text).toContain(`in UTC ${iso(start)} to `);
  });

  test.each(['no', 'cancel'] as const)('does nothing when they say %s', async (answer) => {
    const { agent, ada, eventId, id } = await withAgent(booked(), { say: () => answer });
    const declined = await agent.call('cancel_meeting', { meeting_id: id, preview: true });
    const text = 'Nothing was done, because the user did not agree.';
    expect(declined).toEqual({ data: { status: 'declined' }, text, isError: false });
    expect(eventOf(ada, eventId)?.status).toBe('confirmed');
  });

  test('books exactly the time that was shown, though a better one came free meanwhile', async () => {
    const { platform, ada } = await freshPair();
    const busy: [string, string][] = [[iso(world.clock.now()), iso(inHours(72))]];
    const bob = await connectedPerson(platform, { name: 'cyd', timezone: 'Europe/London', busy });
    const agent = await connectAgent(platform.secret_key, { say: () => 'yes' });
    const { data } = await agent.call('schedule_auto', { attendees: [ada.email, bob.email], preview: true });
    expect(data.status).toBe('scheduled');
    const { timezone } = data.local[0];
    const [day, clock] = [dateIn, clockIn].map((said) => said(Date.parse(data.start_utc), timezone));
    expect(agent.asked[0]).toMatch(
      new RegExp(`^Book ".+" for \\S+ and \\S+ on ${day} at ${clock}\\b.*, for 30 minutes\\? The reason: `),
    );
    expect(agent.asked[0]).not.toMatch(/UTC|\d{4}-\d\d-\d\d|[A-Z]\w+\/[A-Z]\w+/);
  });

  const ELICITATION = { elicitation: { form: {} } };

  async function asked() {
    const { platform, ada, eventId, id } = await booked();
    const client = createClient(world.baseUrl, platform.secret_key);
    const call = async (more: Record<string, unknown>, capabilities: object = ELICITATION) => {
      const params = { name: 'cancel_meeting', arguments: { meeting_id: id, preview: true }, ...more };
      const { headers, body } = message('tools/call', params, capabilities);
      return client.send('POST', '/mcp', body, { headers });
    };
    const first = (await call({})).body as { result: { resultType: string; requestState: string } };
    expect(first.result.resultType).toBe('input_required');
    const standing = () => eventOf(ada, eventId)?.status === 'confirmed';
    return { call, state: first.result.requestState, standing, id };
  }
  const YES = { confirm: { action: 'accept', content: { confirm: true } } };
  const NOT_AGREED = /the user did not agree/;

  const answered = (confirm: unknown) => (state: string) => ({ requestState: state, inputResponses: { confirm } });
  const ticked = (confirm: unknown) => answered({ action: 'accept', content: { confirm } });
  const OTHER = { arguments: { meeting_id: 'meet_other', preview: true } };

  test.each<[string, (state: string, id: string) => Record<string, unknown>, RegExp]>([
    ['a state that was tampered with', (it) => ticked(true)(`${it.slice(0, -4)}AA`), /-32602.*invalid_request_state/],
    ['a yes to other arguments', (state) => ({ ...ticked(true)(state), ...OTHER }), /a preview with other arguments/],
    ['its state as a token', (it, id) => ({ arguments: { meeting_id: id, confirm_token: it } }), /token` is not valid/],
    ['no answer', (requestState) => ({ requestState, inputResponses: {} }), NOT_AGREED],
    ['an answer to another', (requestState) => ({ requestState, inputResponses: { other: YES.confirm } }), NOT_AGREED],
    ['a yes without the box', answered({ action: 'accept', content: {} }), NOT_AGREED],
    ['a yes with the box unticked', ticked(false), NOT_AGREED],
    ['a yes in words', ticked('true'), NOT_AGREED],
  ])('does nothing by %s', async (_what, more, said) => {
    const { call, state, standing, id } = await asked();
    expect((await call(more(state, id))).text).toMatch(said);
    expect(standing()).toBe(true);
  });

  test.each([['decline'], ['cancel']])('whose user said %s cannot take it back', async (action) => {
    const { call, state, standing, id } = await asked();
    const no = await call({ requestState: state, inputResponses: { confirm: { action } } });
    expect(no.text).toContain('the user did not agree');
    const yes = await call({ requestState: state, inputResponses: YES });
    expect(yes.text).toContain('invalid_request: The user has already answered this question.');
    const token = await call({ arguments: { meeting_id: id, confirm_token: state } });
    expect(token.text).toContain('`confirm_token` is not valid');
    expect(standing()).toBe(true);
    const repeated = await call({ requestState: state, inputResponses: { confirm: { action } } });
    expect(repeated.text).toContain('the user did not agree');
  });

  test('may send its yes again, and gets the first answer', async () => {
    const { call, state } = await asked();
    const first = await call({ requestState: state, inputResponses: YES });
    expect(first.body).toMatchObject({ result: { structuredContent: { status: 'cancelled' } } });
    expect((await call({ requestState: state, inputResponses: YES })).body).toEqual(first.body);
    const no = await call({ requestState: state, inputResponses: {} });
    expect(no.text).toContain('invalid_request: The user has already answered this question.');
  });

  test('a client that can only ask by a page of ours gets the token', async () => {
    const { call } = await asked();
    const answer = await call({}, { elicitation: { url: {} } });
    expect(answer.body).toMatchObject({ result: { structuredContent: { status: 'preview' } } });
  });
});
