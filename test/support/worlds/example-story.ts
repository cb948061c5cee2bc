import type { Example } from '../../../functions/openapi/examples/people.ts';
import { startWorld } from '../../local/world.ts';
import type { Json } from '../checks/openapi.ts';
import { createClient } from './client.ts';
import { migratedDatabase, preparedScript } from './prepared.ts';

const NOW = Date.parse('2030-01-07T09:00:00Z');
const [ADA, BOB] = ['ada@example.com', 'bob@example.com'];
const HOOK = 'https://hooks.acme.example/tandem';
const REACHED = 'https://inbox.platform.test/acme';

/** Operations in an order in which each finds the data that its example needs. */
export const STORY = [
  ...['getHealth', 'getOpenapi', 'updateSettings', 'configureWebhook', 'getSettings', 'getWebhook', 'testWebhook'],
  ...['authorizeCalendar', 'getOauthUrl', 'getPlatformUserStatus', 'listPlatformUsers', 'listCalendars'],
  ...['getUserStatus', 'getUserAvailability', 'findAvailability', 'explainAvailability', 'scheduleMeeting'],
  ...['getMeeting', 'proposeTimes', 'listProposals', 'getProposal', 'withdrawProposal', 'updateMeeting'],
  ...['rescheduleMeeting', 'scheduleAutomatically', 'getJob', 'scheduleBatch', 'getBatch', 'commitBatch'],
  ...['cancelBatch', 'listUserMeetings', 'listMeetings', 'cancelMeeting', 'getDashboard', 'createDashboardLink'],
  ...['listAuditLog', 'listDeliveries', 'replayDelivery', 'getDelivery', 'replayDeliveries', 'rotateWebhookSecret'],
  ...['getPreferences', 'updatePreferences', 'getLearning', 'undoLearning', 'resetLearning', 'getUserInfo'],
  ...['exportUser', 'regenerateUserKey', 'cancelJob', 'acceptProposal', 'eraseGuest', 'declineProposal'],
  ...['deleteUser', 'disconnectCalendar', 'regeneratePlatformKey'],
];

/** Operations after which the queue has work to do. */
const LEADS_ON = new Set([
  ...['scheduleMeeting', 'rescheduleMeeting', 'scheduleAutomatically', 'scheduleBatch', 'cancelMeeting'],
  'replayDelivery',
]);

export type ExampleStory = Awaited<ReturnType<typeof openStory>>;

/** Opens a world on 7 January 2030 in which the examples of the API document can be sent, in the order of `STORY`. */
export async function openStory() {
  const world = await startWorld({
    patience: 20,
    script: await preparedScript(),
    snapshot: await migratedDatabase(),
    report: () => undefined,
  });
  await world.advance(NOW - world.clock.now());
  const platform = await world.platforms.create({ name: 'Acme', plan: 'pro', webhook_url: `${REACHED}-old` });
  world.google.addUser({ email: ADA, timezone: 'Europe/London' });
  world.google.addUser({ email: BOB, timezone: 'America/New_York' });
  world.google.addBusy({ email: ADA, start: '2030-01-08T10:00:00Z', end: '2030-01-08T12:30:00Z' });
  world.google.addBusy({ email: BOB, start: '2030-01-08T15:00:00Z', end: '2030-01-08T18:00:00Z' });
  await world.connectCalendar(platform, ADA);
  const keys = { platform: platform.secret_key, user: (await world.connect(platform, BOB)).api_key };
  /** IDs and addresses in the examples, each with its counterpart in this world. */
  const named = new Map([
    [HOOK, REACHED],
    ['pk_live_example', platform.publishable_key],
  ]);

  /** Remembers the IDs and keys of this world that correspond to those of an example. */
  function learn(theirs: unknown, ours: unknown): void {
    if (typeof theirs === 'string' && typeof ours === 'string') {
      if (/^(?:meet|prop|time|sched|batch|wh|wh_del|learn)_/.test(theirs)) named.set(theirs, ours);
      if (theirs === 'sk_user_example') keys.user = ours;
      if (theirs === 'sk_live_example') keys.platform = ours;
    } else if (typeof theirs === 'object' && theirs !== null)
      for (const [name, part] of Object.entries(theirs)) learn(part, (ours as Json | null)?.[name]);
  }

  const asPlatform = (method: string, path: string, body?: unknown) =>
    createClient(world.baseUrl, keys.platform).send(method, path, body);

  /** Accepts a job that nobody has begun yet, for the example that cancels one. */
  async function nameUnfinishedJob({ params }: Example): Promise<void> {
    const accepted = await asPlatform('POST', '/v1/schedule/auto', { attendees: [BOB, ADA], auto: true });
    named.set(String(params?.job_id), String((accepted.body as Json).job_id));
  }

  async function holdTimes({ answer }: Example): Promise<void> {
    const [held] = (answer as { held_times: { with: string; times: { start_time: string }[] }[] }).held_times;
    const times = held?.times.map(({ start_time }) => start_time);
    await asPlatform('POST', '/v1/proposals', {
      attendees: [held?.with, BOB],
      duration_minutes: 30,
      title: 'Intro',
      times,
    });
  }

  async function nameOpenProposal({ answer }: Example): Promise<void> {
    const example = answer as Json & { times: { start_time: string }[] };
    const { attendees, duration_minutes, title, metadata, times } = example;
    const made = await asPlatform('POST', '/v1/proposals', {
      ...{ attendees, duration_minutes, title, metadata },
      times: times.map(({ start_time }) => start_time),
    });
    learn({ ...example, meeting_id: null }, made.body);
  }

  return {
    world,
    keys,
    learn,
    asPlatform,
    translated: (text: string) => [...named].reduce((all, [theirs, ours]) => all.replaceAll(theirs, ours), text),
    /** Makes what the example of an operation needs and the story has not. */
    async before(id: string, example: Example): Promise<void> {
      if (id === 'exportUser') await holdTimes(example);
      if (id === 'replayDeliveries')
        await world.neon.query("update deliveries set status = 'failed' where status = 'success'");
      if (id === 'cancelJob') await nameUnfinishedJob(example);
      if (id === 'acceptProposal' || id === 'declineProposal') await nameOpenProposal(example);
    },
    /** Lets a minute pass if the operation left work to the queue, so that the work is done. */
    async after(id: string): Promise<void> {
      if (!LEADS_ON.has(id)) return;
      await world.advance(70_000);
      await world.worker.runScheduled(world.clock.now());
      await world.qstash.deliverDue();
    },
  };
}
