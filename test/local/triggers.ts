import { randomBytes } from 'node:crypto';
import { createTandem, type Tandem } from '../../lib/client/tandem.ts';
import type { EventType } from '../../schema/api/webhook-events.ts';
import type { GoogleControl } from './google/index.ts';
import type { Neon } from './neon.ts';
import { DEMO_DOMAIN } from './parties.ts';
import type { WorldClock } from './targets.ts';

interface TriggerDeps {
  clock: WorldClock;
  neon: Pick<Neon, 'query'>;
  google: Pick<GoogleControl, 'addUser' | 'addEvent' | 'revoke' | 'settings'>;
  baseUrl: string;
  /** Goes through the consent page as a person would. */
  consent(publishableKey: string, email: string): Promise<void>;
  deliverDue(): Promise<number>;
  /** Runs the minute's tick now. */
  tick(): Promise<void>;
}

/** Returns a function that makes a platform's event happen for real. It returns a sentence that says what it did. */
export function createTriggers(deps: TriggerDeps) {
  return async function trigger(apiKey: string, event: EventType): Promise<string> {
    const tandem = createTandem({ apiKey, baseUrl: deps.baseUrl });
    const did = await HOW[event](tandem, deps);
    await deps.deliverDue();
    return did;
  };
}

type How = (tandem: Tandem, deps: TriggerDeps) => Promise<string>;

const HOW: Record<EventType, How> = {
  'user.calendar.connected': async (tandem, deps) => `${await connected(tandem, deps)} connected their calendar.`,
  async 'user.calendar.disconnected'(tandem, deps) {
    const email = await connected(tandem, deps);
    await tandem.disconnectCalendar(email);
    return `${email} connected their calendar and was disconnected.`;
  },
  async 'user.calendar.refresh_failed'(tandem, deps) {
    const other = await connected(tandem, deps);
    const email = await connected(tandem, deps, ({ google }, address) => google.settings.tokenSeconds.set(address, 1));
    deps.google.revoke(email);
    // The access token has expired, so the search refreshes it and learns that the consent has ended.
    await tandem.findAvailability({ attendees: [email, other] }, { fresh: true }).catch(() => undefined);
    return `${email} connected their calendar and ended the consent at Google.`;
  },
  async 'meeting.scheduling.completed'(tandem, deps) {
    const job = await automatic(tandem, deps, await couple(tandem, deps));
    return `${job.job_id} chose a time and booked it.`;
  },
  async 'meeting.scheduling.failed'(tandem, deps) {
    const other = await connected(tandem, deps);
    const busy = await connected(tandem, deps, addDays);
    const job = await automatic(tandem, deps, [other, busy]);
    return `${job.job_id} found no time, because ${busy} is always busy.`;
  },
  'meeting.scheduled': async (tandem, deps) => `${(await booked(tandem, deps)).meeting_id} was booked.`,
  async 'meeting.updated'(tandem, deps) {
    const { meeting_id, start_time, end_time } = await booked(tandem, deps);
    const later = (time: string) => new Date(Date.parse(time) + 3_600_000).toISOString();
    await tandem.updateMeeting(meeting_id, { start_time: later(start_time), end_time: later(end_time) });
    return `${meeting_id} was booked and moved an hour later.`;
  },
  async 'meeting.cancelled'(tandem, deps) {
    const { meeting_id } = await booked(tandem, deps);
    await tandem.cancelMeeting(meeting_id);
    return `${meeting_id} was booked and cancelled.`;
  },
  'platform.usage_warning': (tandem, deps) => reachedUsage(tandem, deps, 80),
  'platform.usage_limit_reached': (tandem, deps) => reachedUsage(tandem, deps, 100),
  'platform.security_changed': changedRedirects,
  async 'batch.completed'(tandem, deps) {
    const meetings = [{ reference: 'trigger', attendees: await couple(tandem, deps) }];
    let made = '';
    await whileSubscribed(tandem, deps, 'batch.completed', async () => {
      made = (await tandem.scheduleBatch({ meetings })).batch_id;
      // Each delivery runs one slice: the search, the plan, the booking and the end.
      for (let slice = 0; slice < 4; slice++) await deps.deliverDue();
    });
    return `${made} booked its one meeting and completed.`;
  },
  'proposal.accepted': offered('accepted', async (tandem, { proposal_id, times: [time] }) => {
    await tandem.acceptProposal(proposal_id, { time_id: time?.id ?? '' });
  }),
  'proposal.declined': offered('declined', (tandem, { proposal_id }) => tandem.declineProposal(proposal_id)),
  'proposal.countered': offered('countered', async (_tandem, { url }) => {
    const answer = await fetch(url ?? '', {
      method: 'POST',
      body: new URLSearchParams({ answer: 'counter', reason: 'Any morning next week' }),
      redirect: 'manual',
    });
    if (answer.status !== 303) throw new Error(`The page of the proposal answered ${answer.status}.`);
  }),
  'proposal.expired': offered('expired', async (_tandem, { proposal_id }, { clock, neon, tick }) => {
    await neon.query('update proposals set expires_at = $2 where id = $1', [proposal_id, new Date(clock.now())]);
    await tick();
  }),
  'proposal.withdrawn': offered('withdrawn', (tandem, { proposal_id }) => tandem.withdrawProposal(proposal_id)),
};

type Arrange = (deps: TriggerDeps, email: string) => unknown;

async function connected(tandem: Tandem, deps: TriggerDeps, arrange?: Arrange): Promise<string> {
  const email = `trigger.${randomBytes(4).toString('hex')}@${DEMO_DOMAIN}`;
  deps.google.addUser({ email, timezone: 'Europe/Madrid' });
  arrange?.(deps, email);
  const { oauth_url } = await tandem.getOauthUrl({ user_email: email });
  await deps.consent(new URL(oauth_url).searchParams.get('platform_key') ?? '', email);
  return email;
}

const couple = async (tandem: Tandem, deps: TriggerDeps) => [
  await connected(tandem, deps),
  await connected(tandem, deps),
];

function addDays({ google, clock }: TriggerDeps, email: string): void {
  const day = (after: number) => new Date(clock.now() + after * 86_400_000).toISOString().slice(0, 10);
  google.addEvent({ email, start: day(-1), end: day(0), recurrence: ['RRULE:FREQ=DAILY'], transparency: 'opaque' });
}

async function automatic(tandem: Tandem, deps: TriggerDeps, attendees: string[]) {
  const { job_id } = await tandem.scheduleAutomatically({ attendees, title: 'Trigger' });
  await deps.deliverDue();
  return tandem.waitForJob(job_id);
}

async function booked(tandem: Tandem, deps: TriggerDeps) {
  const attendees = await couple(tandem, deps);
  const { slots } = await tandem.findAvailability({ attendees, duration_minutes: 30 });
  const [slot] = slots;
  if (slot === undefined) throw new Error('Two people with empty calendars have no time.');
  return tandem.scheduleMeeting({ attendees, start_time: slot.start_time, duration_minutes: 30, title: 'Trigger' });
}

async function changedRedirects(tandem: Tandem, deps: TriggerDeps): Promise<string> {
  const { platform } = await tandem.getDashboard();
  const { redirect_uris } = await tandem.getSettings();
  const uri = `https://${randomBytes(4).toString('hex')}.trigger.${DEMO_DOMAIN}/connected`;
  await whileSubscribed(tandem, deps, 'platform.security_changed', () =>
    tandem.updateSettings({ redirect_uris: [uri, ...redirect_uris.slice(0, 4)] }),
  );
  await tandem.updateSettings({ redirect_uris });
  return `${uri} became a redirect URI of ${platform.id}, which has those of before again.`;
}

function offered(
  status: 'accepted' | 'declined' | 'countered' | 'expired' | 'withdrawn',
  end: (tandem: Tandem, proposal: Made, deps: TriggerDeps) => Promise<unknown>,
): How {
  return async (tandem, deps) => {
    const attendees = await couple(tandem, deps);
    const { slots } = await tandem.findAvailability({ attendees, duration_minutes: 30 });
    const times = slots.slice(0, 2).map(({ start_time }) => start_time);
    const made = await tandem.proposeTimes({ attendees, times, duration_minutes: 30, title: 'Trigger' });
    await whileSubscribed(tandem, deps, `proposal.${status}`, () => end(tandem, made, deps));
    return `${made.proposal_id} offered ${times.length} times and ${status === 'expired' ? '' : 'was '}${status}.`;
  };
}

type Made = Awaited<ReturnType<Tandem['proposeTimes']>>;

/** Makes an event happen that an endpoint gets only if it names it. The endpoint subscribes to it for the moment. */
async function whileSubscribed(
  tandem: Tandem,
  { neon }: TriggerDeps,
  event: EventType,
  act: () => Promise<unknown>,
): Promise<void> {
  const { platform } = await tandem.getDashboard();
  const { events } = await tandem.getWebhook();
  const of = [platform.id];
  const [stored] = await neon.query('select events::text from webhook_endpoints where platform_id = $1', of);
  await tandem.configureWebhook({ events: [...new Set([...events, event])] });
  try {
    await act();
  } finally {
    // The stored list is null for a platform that never chose, which no request can say.
    await neon.query('update webhook_endpoints set events = $2::text[] where platform_id = $1', [
      ...of,
      stored?.events,
    ]);
  }
}

/**
 * Books the meeting with which the platform's usage reaches this percentage of its quota. For this one booking the
 * month counts as almost used up. Then it counts as before, and the event can be triggered again.
 */
async function reachedUsage(tandem: Tandem, deps: TriggerDeps, percentage: 80 | 100): Promise<string> {
  const { platform, usage } = await tandem.getDashboard();
  if (usage.limit === null) throw new Error(`The plan ${platform.plan} has no monthly quota to reach.`);
  const attendees = await couple(tandem, deps);
  const { neon, clock } = deps;
  const of = [platform.id, new Date(clock.now()).toISOString().slice(0, 7)];
  const [before] = await neon.query('select used, confirmed from usage where platform_id = $1 and month = $2', of);
  const notices = await neon.query(
    'select percentage, event_id from usage_notices where platform_id = $1 and month = $2',
    of,
  );
  const setUsage = (used: number, confirmed: number) =>
    neon.query(
      `insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, $3, $4, $5)
       on conflict (platform_id, month) do update set used = excluded.used, confirmed = excluded.confirmed, quota = excluded.quota`,
      [...of, used, confirmed, usage.limit],
    );
  const setNotices = async (kept: { percentage: number; event_id: string }[]) => {
    await neon.query('delete from usage_notices where platform_id = $1 and month = $2', of);
    for (const notice of kept)
      await neon.query('insert into usage_notices values ($1, $2, $3, $4, now())', [
        ...of,
        notice.percentage,
        notice.event_id,
      ]);
  };
  const last = (percentage === 80 ? Math.ceil(usage.limit * 0.8) : usage.limit) - 1;
  await setUsage(last, last);
  // Reaching the whole quota passes 80% too, which is not what was asked for.
  await setNotices(percentage === 80 ? [] : [{ percentage: 80, event_id: 'triggered' }]);
  try {
    const start_time = new Date(clock.now() + 7 * 86_400_000).toISOString();
    await tandem.scheduleMeeting({ attendees, start_time, duration_minutes: 30, title: 'Trigger' });
  } finally {
    await setUsage(Number(before?.used ?? 0) + 1, Number(before?.confirmed ?? 0) + 1);
    await setNotices(notices as unknown as { percentage: number; event_id: string }[]);
  }
  return `A booking reached ${percentage}% of ${usage.limit} meetings a month. The count is back where it was, plus this one.`;
}
