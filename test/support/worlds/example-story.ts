import type { Example } from '../../../functions/openapi/examples.ts';
import { startWorld } from '../../local/world.ts';
import type { Json } from '../checks/openapi.ts';
import { createClient } from './client.ts';
import { migratedDatabase, preparedScript } from './prepared.ts';

export const NOW = Date.parse('2030-01-07T09:00:00Z');
const [ADA, BOB] = ['ada@example.com', 'bob@example.com'];
const BOTH = [ADA, BOB];
const GRACE = { email: 'grace@example.org', guest_name: 'Grace Hopper', guest_time_zone: 'America/New_York' };
export const HOOK = 'https://inbox.platform.test/acme';
const LINK = { user_email: ADA, redirect_uri: 'https://app.acme.example/connected', state: 'n7Xq2' };
const DEAL = { deal: 'D-1042' };
const QUESTIONS = { duration_minutes: 30, title: 'Contract questions', metadata: DEAL };
const TWO_TIMES = ['2030-01-10T15:00:00Z', '2030-01-11T14:30:00Z'];

/** Request of an operation. Those of a request with a name are an example each; the others come first. */
export type Request = Omit<Example, 'params' | 'answer'> & { params?: Json };

/** Requests in an order in which each finds the data that it needs. */
export const STORY: Record<string, Request | ((story: ExampleStory) => Request | Promise<Request>)> = {
  getHealth: {},
  getOpenapi: {},
  updateSettings: {
    body: {
      redirect_uris: [LINK.redirect_uri],
      on_decline: 'notify',
      logo_url: 'https://acme.example/logo.png',
      default_preferences: {
        work_hours: { friday: { enabled: true, start: '09:00', end: '14:00' } },
        buffer_minutes: 15,
      },
    },
  },
  configureWebhook: {
    body: {
      url: HOOK,
      events: [
        ...['meeting.scheduled', 'meeting.updated', 'meeting.cancelled'],
        ...['meeting.scheduling.completed', 'meeting.scheduling.failed'],
      ],
      max_retries: 3,
      timeout_seconds: 10,
    },
  },
  getSettings: {},
  getWebhook: {},
  testWebhook: { body: { event_type: 'meeting.scheduled' } },
  authorizeCalendar: ({ platform }) => ({ query: { platform_key: platform.publishable_key, ...LINK } }),
  getOauthUrl: { query: LINK },
  getPlatformUserStatus: { query: { email: BOB } },
  listPlatformUsers: { query: { limit: '1' } },
  listCalendars: { query: { limit: '50' } },
  getUserStatus: { params: { email: ADA } },
  getUserAvailability: {
    params: { email: BOB },
    query: { start_date: '2030-01-08', end_date: '2030-01-09', duration_minutes: '60' },
  },
  findAvailability: {
    body: {
      attendees: BOTH,
      duration_minutes: 60,
      date_range: { start_date: '2030-01-08', end_date: '2030-01-08' },
      context: 'Intro call about the pilot',
    },
  },
  explainAvailability: { body: { attendees: BOTH, start_time: '2030-01-08T19:00:00Z', duration_minutes: 30 } },
  scheduleMeeting: {
    body: {
      attendees: BOTH,
      start_time: '2030-01-08T14:00:00Z',
      duration_minutes: 30,
      title: 'Intro call',
      description: 'The pilot, and who does what.',
      metadata: DEAL,
      require_free: true,
    },
  },
  getMeeting: ({ said }) => ({ params: { meeting_id: said('scheduleMeeting').meeting_id } }),
  proposeTimes: {
    named: { name: 'given_times', summary: 'Times that you give' },
    body: { attendees: BOTH, requester_name: 'Ada Adams', ...QUESTIONS, times: TWO_TIMES, expires_in_hours: 48 },
    others: [
      {
        name: 'picked_times',
        summary: 'Times that Tandem picks for somebody who is not connected',
        body: {
          attendees: [ADA, GRACE.email],
          requester_name: 'Ada Adams',
          guest_time_zone: GRACE.guest_time_zone,
          duration_minutes: 30,
          title: 'Mentoring session',
          count: 3,
        },
      },
    ],
  },
  listProposals: { query: { status: 'open', email: BOB } },
  getProposal: ({ said }) => ({ params: { proposal_id: said('proposeTimes').proposal_id } }),
  withdrawProposal: ({ said }) => ({ params: { proposal_id: said('proposeTimes').proposal_id } }),
  updateMeeting: ({ said }) => ({
    params: { meeting_id: said('scheduleMeeting').meeting_id },
    body: {
      start_time: '2030-01-09T15:15:00Z',
      end_time: '2030-01-09T16:00:00Z',
      reason: 'Bob needs a little longer',
      metadata: { stage: 'pilot' },
    },
  }),
  rescheduleMeeting: ({ said }) => ({
    named: { name: 'move', summary: 'Move the meeting now' },
    params: { meeting_id: said('scheduleMeeting').meeting_id },
    body: { requested_by: BOB, reason: 'Thursday instead, and mornings are too early for me' },
    others: [
      {
        name: 'propose',
        summary: 'Offer other times, and move the meeting only if one is accepted',
        body: { requested_by: BOB, reason: 'Could we do this later in the week?', propose: true },
      },
    ],
  }),
  scheduleAutomatically: {
    body: {
      attendees: BOTH,
      duration_minutes: 45,
      context: 'client_demo',
      description: 'The dashboard, live.',
      auto: true,
    },
  },
  getJob: ({ said }) => ({ params: { job_id: said('scheduleAutomatically').job_id } }),
  scheduleBatch: {
    body: {
      meetings: [
        { reference: 'mentoring-1', attendees: BOTH, duration_minutes: 30, title: 'Mentoring' },
        { reference: 'mentoring-2', attendees: [ADA, 'carol@example.com'], duration_minutes: 30, priority: 5 },
      ],
      max_per_day: 2,
      dry_run: true,
    },
  },
  getBatch: ({ said }) => ({ params: { batch_id: said('scheduleBatch').batch_id }, query: { limit: '100' } }),
  commitBatch: ({ said }) => ({ params: { batch_id: said('scheduleBatch').batch_id } }),
  cancelBatch: ({ said }) => ({ params: { batch_id: said('scheduleBatch').batch_id } }),
  listUserMeetings: {
    params: { email: ADA },
    query: { from: '2030-01-08T00:00:00Z', to: '2030-02-01T00:00:00Z', status: 'scheduled' },
  },
  listMeetings: { query: { limit: '50', from: '2030-01-08T00:00:00Z', status: 'scheduled', attendee: BOB } },
  cancelMeeting: ({ said }) => ({ params: { meeting_id: said('rescheduleMeeting').new_meeting_id } }),
  getDashboard: {},
  createDashboardLink: { body: { read_only: true } },
  listAuditLog: { query: { limit: '1' } },
  listDeliveries: { query: { limit: '1', event: 'meeting.scheduled', status: 'success' } },
  replayDelivery: ({ said }) => ({ params: { id: (said('listDeliveries').deliveries as Json[])[0]?.id } }),
  getDelivery: ({ said }) => ({ params: { id: said('replayDelivery').delivery_id } }),
  async replayDeliveries({ world }) {
    await world.neon.query("update deliveries set status = 'failed' where status = 'success'");
    return { body: { since: '2030-01-06T18:00:00Z', status: 'failed' } };
  },
  rotateWebhookSecret: {},
  getPreferences: {},
  updatePreferences: {
    body: {
      work_hours: { friday: { enabled: true, start: '09:00', end: '15:00' } },
      buffer_minutes: 15,
      energy_pattern: 'afternoon_person',
      scheduling_context: 'No meetings before 10am, please.',
      focus_blocks: [{ day: 'wednesday', start: '13:00', end: '15:00', reason: 'Deep work' }],
    },
  },
  getLearning: { query: { limit: '50' } },
  undoLearning: ({ said }) => ({ params: { id: (said('getLearning').entries as Json[])[0]?.id } }),
  resetLearning: {},
  getUserInfo: {},
  async exportUser(story) {
    await propose(story, { attendees: BOTH, duration_minutes: 30, title: 'Intro', times: ['2030-01-14T15:00:00Z'] });
    return {};
  },
  regenerateUserKey: { body: { keep_old_for_hours: 24 } },
  async cancelJob({ asPlatform }) {
    const { body } = await asPlatform('POST', '/v1/schedule/auto', { attendees: BOTH, auto: true });
    return { params: { job_id: (body as Json).job_id } };
  },
  async acceptProposal(story) {
    const { email, ...guest } = GRACE;
    const made = { attendees: [ADA, email], ...QUESTIONS, times: ['2030-01-17T15:00:00Z'] };
    const { proposal_id, times } = await propose(story, made);
    return { params: { proposal_id }, body: { time_id: times[0]?.id, ...guest } };
  },
  eraseGuest: { params: { email: GRACE.email } },
  async declineProposal(story) {
    const { proposal_id } = await propose(story, { attendees: BOTH, ...QUESTIONS, times: TWO_TIMES });
    return { params: { proposal_id }, body: { reason: 'None of these times works.' } };
  },
  deleteUser: {},
  disconnectCalendar: { params: { email: ADA } },
  regeneratePlatformKey: { body: { keep_old_for_hours: 24 } },
};

async function propose({ asPlatform }: ExampleStory, body: Json) {
  const made = await asPlatform('POST', '/v1/proposals', body);
  return made.body as { proposal_id: string; times: { id: string }[] };
}

/** Makes what an operation needs and the story has not. Returns its request. */
export async function requestOf(story: ExampleStory, id: string): Promise<Request> {
  const request = STORY[id] ?? {};
  return typeof request === 'function' ? await request(story) : request;
}

/** Operations after which the queue has work to do. */
const LEADS_ON = new Set([
  ...['scheduleMeeting', 'rescheduleMeeting', 'scheduleAutomatically', 'scheduleBatch', 'cancelMeeting'],
  'replayDelivery',
]);

export type ExampleStory = Awaited<ReturnType<typeof openStory>>;

/** Opens a world on 7 January 2030 in which the requests of `STORY` can be sent in its order. */
export async function openStory() {
  const world = await startWorld({
    patience: 20,
    script: await preparedScript(),
    snapshot: await migratedDatabase(),
    report: () => undefined,
  });
  await world.advance(NOW - world.clock.now());
  const platform = await world.platforms.create({ name: 'Acme', plan: 'pro', webhook_url: `${HOOK}-old` });
  world.google.addUser({ email: ADA, timezone: 'Europe/London' });
  world.google.addUser({ email: BOB, timezone: 'America/New_York' });
  world.google.addBusy({ email: ADA, start: '2030-01-08T10:00:00Z', end: '2030-01-08T12:30:00Z' });
  world.google.addBusy({ email: BOB, start: '2030-01-08T15:00:00Z', end: '2030-01-08T18:00:00Z' });
  await world.connectCalendar(platform, ADA);
  const keys = { platform: platform.secret_key, user: (await world.connect(platform, BOB)).api_key };
  const answers = new Map<string, Json>();

  return {
    world,
    platform,
    keys,
    /** Answer to an earlier operation of the story. */
    said: (id: string): Json => answers.get(id) ?? {},
    asPlatform: (method: string, path: string, body?: unknown) =>
      createClient(world.baseUrl, keys.platform).send(method, path, body),
    /** Keeps an operation's answer. Lets a minute pass if it left work to the queue, so that the work is done. */
    async after(id: string, answer: unknown): Promise<void> {
      answers.set(id, answer as Json);
      const { api_key } = (answer ?? {}) as { api_key?: string };
      if (id === 'regenerateUserKey') keys.user = api_key ?? keys.user;
      if (id === 'regeneratePlatformKey') keys.platform = api_key ?? keys.platform;
      if (!LEADS_ON.has(id)) return;
      await world.advance(70_000);
      await world.worker.runScheduled(world.clock.now());
      await world.qstash.deliverDue();
    },
  };
}
