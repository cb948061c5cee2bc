import { describe, expect, test } from 'vitest';
import { TOOLS } from '../../../lib/tools/tools.ts';
import { connectAgent, GENERATIONS } from '../../support/people/agents.ts';
import { accepted } from '../../support/people/batches.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const meeting = await booked();
const { platform, ada, bob } = meeting;
const stranger = await freshPlatform({ plan: 'enterprise' });
const { api_key: userKey } = await world.connect(platform, ada.email);
const KEYS = { platform: platform.secret_key, user: userKey, stranger: stranger.secret_key };

const PLATFORM = [
  'check_availability',
  'explain_time',
  'schedule_meeting',
  'schedule_auto',
  'get_job',
  'propose_times',
  'list_meetings',
  'reschedule_meeting',
  'cancel_meeting',
];
const SEEN = {
  platform: PLATFORM,
  stranger: PLATFORM,
  user: ['check_availability', 'list_meetings', 'update_preferences'],
};

const attendees = [ada.email, bob.email];
const later = new Date(meeting.start + 86_400_000).toISOString();
/** Arguments for each tool, about the platform's own people and meetings. None of these calls may change them. */
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  check_availability: { attendees },
  explain_time: { attendees, start_time: later },
  schedule_meeting: { attendees, start_time: later, duration_minutes: 30, title: 'Matrix', preview: true },
  schedule_auto: { attendees, preview: true },
  get_job: { job_id: await accepted(platform, { attendees }) },
  propose_times: { attendees, duration_minutes: 30, title: 'Matrix', preview: true },
  list_meetings: { email: ada.email },
  reschedule_meeting: { meeting_id: meeting.id, requested_by: ada.email, reason: 'Too early', preview: true },
  cancel_meeting: { meeting_id: meeting.id, preview: true },
  update_preferences: { buffer_minutes: 15, preview: true },
};

/** Tools that a person calls about themselves, without naming anybody. */
const OF_TWO = ['check_availability', 'list_meetings'];

test('every tool is asked for', () => {
  expect(Object.keys(ARGUMENTS)).toEqual([...new Set(TOOLS.map(({ name }) => name))]);
});

describe.each(GENERATIONS)('clients of %s', (generation) => {
  test.each(Object.entries(KEYS))('with the key of the %s see its tools, always in one order', async (kind, key) => {
    const agent = await connectAgent(key, { generation });
    expect(await agent.names()).toEqual(SEEN[kind as keyof typeof SEEN]);
    expect(await agent.names()).toEqual(SEEN[kind as keyof typeof SEEN]);
  });
});

test.each(Object.keys(ARGUMENTS))(
  '%s works only with the keys that list it, and only for their own data',
  async (name) => {
    const args = ARGUMENTS[name] ?? {};
    const own = await (await connectAgent(KEYS.platform)).call(name, args);
    const theirs = await (await connectAgent(KEYS.user)).call(name, OF_TWO.includes(name) ? {} : args);
    const foreign = await (await connectAgent(KEYS.stranger)).call(name, args);
    if (SEEN.platform.includes(name)) {
      expect(own.isError).toBe(false);
      expect(foreign.isError).toBe(true);
      expect(foreign.text).toMatch(/^(?:user_not_found|forbidden|job_not_found): /);
      expect(foreign.text).not.toContain(meeting.id);
    } else expect(own.text).toMatch(/^forbidden: .*API key of that person \(sk_user_\)\.$/);
    if (SEEN.user.includes(name)) expect(theirs.isError).toBe(false);
    else expect(theirs.text).toBe("forbidden: This tool requires a platform's secret key (sk_live_).");
  },
);

test('a user key does not act for anybody else, whatever it is sent', async () => {
  const agent = await connectAgent(KEYS.user);
  for (const [name, args, field] of [
    ['list_meetings', { email: bob.email }, 'email'],
    ['check_availability', { attendees }, 'attendees'],
  ] as const) {
    expect(await agent.refusal(name, args)).toBe(
      `invalid_request: \`${field}\` is not a field of this request. Leave it out.`,
    );
  }
});
