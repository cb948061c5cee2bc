import { sleep } from '../call.ts';
import { type Answers, type Tandem, TandemError } from '../tandem.ts';
import { BATCH_COMMANDS } from './batch.ts';
import { type ForwardedDelivery, listen, showTriggered, trigger } from './events.ts';
import {
  type Arguments,
  type Command,
  command,
  dateRange,
  demand,
  instant,
  minutes,
  type Outcome,
  pairs,
  take,
  webAddress,
  webhookSecret,
  whole,
} from './options.ts';
import * as show from './show.ts';

const OF_MEETING = ['title', 'duration', 'metadata', 'idempotency-key'] as const;
const PEOPLE_AND_TIME = ['email', 'email', 'time'] as const;

export const COMMANDS: Record<string, Command> = {
  ...BATCH_COMMANDS,

  status: {
    options: [],
    async run(tandem, _options, words, { baseUrl }) {
      if (words.length > 0) {
        const [email] = take(words, 'email');
        const answer = await tandem.getPlatformUserStatus(email);
        return { answer, lines: show.showConnection(email, answer), isFailure: !answer.connected };
      }
      const webhook = tandem.getWebhook().catch(ifMissing('webhook_not_configured'));
      const [health, dashboard, endpoint] = await Promise.all([tandem.getHealth(), tandem.getDashboard(), webhook]);
      const answer = { url: baseUrl, ...health, ...dashboard, webhook: endpoint };
      return { answer, lines: show.showPlatform(baseUrl, health, dashboard, endpoint) };
    },
  },

  connect: command(['wait'], ['email'], async (tandem, { wait, json }, [email]) => {
    const answer = await tandem.getOauthUrl({ user_email: email });
    const lines = [`Open this link as ${email}:`, `  ${answer.oauth_url}`];
    if (!wait) return { answer, lines };
    if (!json) show.print(lines);
    while (!(await tandem.getUserStatus(email)).calendar_connected) await sleep(CONNECT_POLL_MS);
    return { answer: await tandem.getPlatformUserStatus(email), lines: [`${email} is connected.`] };
  }),

  availability: command(
    ['duration', 'from', 'to', 'when', 'context', 'fresh'],
    ['email', 'email'],
    async (tandem, { duration, from, to, when, context, fresh }, attendees) => {
      const date_range = dateRange({ from, to });
      const body = { attendees, duration_minutes: minutes(duration), context, when, date_range };
      const answer = await tandem.findAvailability(body, { fresh });
      return { answer, lines: show.showAvailability(answer) };
    },
  ),

  explain: command(['duration', 'when', 'fresh'], PEOPLE_AND_TIME, async (tandem, args, [one, two, start_time]) => {
    const body = { attendees: [one, two], start_time, duration_minutes: minutes(args.duration), when: args.when };
    const answer = await tandem.explainAvailability(body, { fresh: args.fresh });
    return { answer, lines: show.showExplained(answer) };
  }),

  schedule: command([...OF_MEETING, 'require-free'], PEOPLE_AND_TIME, async (tandem, args, [one, two, start_time]) => {
    const title = demand(args.title, '--title');
    const duration_minutes = minutes(args.duration) ?? 30;
    const given = { title, metadata: pairs(args.metadata), require_free: args['require-free'] };
    const body = { attendees: [one, two], start_time, duration_minutes, ...given };
    const answer = await tandem.scheduleMeeting(body, { idempotencyKey: args['idempotency-key'] });
    const link = answer.meet_link === null ? '' : `, ${answer.meet_link}`;
    return { answer, lines: [`${answer.meeting_id} is booked for ${answer.start_time}${link}.`] };
  }),

  auto: command([...OF_MEETING, 'context', 'when', 'wait'], ['email', 'email'], async (tandem, args, attendees) => {
    const given = { title: args.title, context: args.context as never, metadata: pairs(args.metadata) };
    const body = { attendees, duration_minutes: minutes(args.duration), when: args.when, ...given };
    const accepted = await tandem.scheduleAutomatically(body, { idempotencyKey: args['idempotency-key'] });
    if (args.wait) return jobOutcome(await tandem.waitForJob(accepted.job_id));
    return {
      answer: accepted,
      lines: [`${accepted.job_id} is processing. To wait for it, run: tandem jobs ${accepted.job_id} --wait`],
    };
  }),

  propose: {
    options: [...OF_MEETING, 'count', 'when', 'expires-in', 'requester-name', 'guest-zone'],
    async run(tandem, args, [one, two, ...times]) {
      const people = [one, two].filter((word) => word !== undefined);
      const body = {
        attendees: take(people, 'email', 'email'),
        ...(times.length > 0 && { times }),
        count: whole(args.count, '--count must be a whole number of times.'),
        when: args.when,
        title: demand(args.title, '--title'),
        duration_minutes: minutes(args.duration) ?? 30,
        requester_name: args['requester-name'],
        guest_time_zone: args['guest-zone'],
        expires_in_hours: whole(args['expires-in'], '--expires-in must be a whole number of hours.'),
        metadata: pairs(args.metadata),
      };
      const answer = await tandem.proposeTimes(body, { idempotencyKey: args['idempotency-key'] });
      return { answer, lines: show.showProposal(answer) };
    },
  },

  proposals: {
    options: ['status', 'email'],
    async run(tandem, { status, email }, words) {
      if (words.length > 0) {
        const [id] = take(words, 'proposal_id');
        const answer = await tandem.getProposal(id);
        return { answer, lines: show.showProposal(answer) };
      }
      const answer = await tandem.listProposals({ status: status as never, email });
      const lines = answer.proposals.map(show.proposalLine);
      return { answer, lines: lines.length > 0 ? lines : ['There are no matching proposals.'] };
    },
  },

  withdraw: command([], ['proposal_id'], async (tandem, _options, [id]) => {
    const answer = await tandem.withdrawProposal(id);
    return { answer, lines: [`${id} is withdrawn, and its times are free.`] };
  }),

  jobs: command(['wait'], ['job_id'], async (tandem, { wait }, [id]) =>
    jobOutcome(await (wait ? tandem.waitForJob(id) : tandem.getJob(id))),
  ),

  'cancel-job': command([], ['job_id'], async (tandem, _options, [id]) => {
    const answer = await tandem.cancelJob(id);
    const withdrawn = answer.booking === 'withdrawn' ? ', and the booking it had begun is withdrawn' : '';
    return { answer, lines: [`${id} is cancelled${withdrawn}.`] };
  }),

  meetings: command(['from', 'to', 'status'], ['email'], async (tandem, { from, to, status }, [email]) => {
    const answer = await tandem.listUserMeetings(email, { from, to, status: status as never });
    const lines = answer.meetings.map(show.showMeeting);
    return { answer, lines: lines.length > 0 ? lines : [`${email} has no matching meetings.`] };
  }),

  reschedule: command(['by', 'reason', 'idempotency-key'], ['meeting_id'], async (tandem, args, [id]) => {
    const body = { requested_by: demand(args.by, '--by'), reason: demand(args.reason, '--reason') };
    const answer = await tandem.rescheduleMeeting(id, body, { idempotencyKey: args['idempotency-key'] });
    const moved = `Moved to ${answer.new_meeting_time}. The new meeting is ${answer.new_meeting_id}.`;
    return { answer, lines: [moved, answer.reasoning, answer.learned_from] };
  }),

  cancel: command(['idempotency-key'], ['meeting_id'], async (tandem, { 'idempotency-key': idempotencyKey }, [id]) => {
    const answer = await tandem.cancelMeeting(id, { idempotencyKey });
    const kept = answer.calendar_event === 'deleted' ? '' : `, but its calendar event is ${answer.calendar_event}`;
    return { answer, lines: [`${id} is cancelled${kept}.`] };
  }),

  trigger: command([], ['event'], async (tandem, _options, [event], place) => {
    const answer = await trigger(tandem, place, event);
    return { answer, lines: showTriggered(answer), isFailure: answer.delivery?.status !== 'success' };
  }),

  'webhooks listen': command(['forward-to', 'secret', 'since'], [], async (tandem, args) => {
    await follow(tandem, args);
    return { answer: undefined, lines: [] };
  }),

  'webhooks replay': {
    options: ['since'],
    async run(tandem, { since }, words) {
      if (since !== undefined) {
        take(words);
        const answer = await tandem.replayDeliveries({ since });
        const more = answer.has_more ? [`More events are left. To send them, use --since ${answer.next_since}`] : [];
        return { answer, lines: [answer.message, ...more] };
      }
      const [id] = take(words, 'delivery_id');
      const answer = await tandem.replayDelivery(id);
      return { answer, lines: [`Resending ${answer.event_id} as ${answer.delivery_id}.`] };
    },
  },
};

const CONNECT_POLL_MS = 1_000;

const ifMissing = (code: string) => (error: unknown) => {
  if (error instanceof TandemError && error.code === code) return null;
  throw error;
};

const jobOutcome = (answer: Answers['Job']): Outcome => ({
  answer,
  lines: show.showJob(answer),
  isFailure: answer.result?.success === false,
});

/** Runs until Ctrl-C. Warns first if the endpoint is disabled, because there are no deliveries then. */
async function follow(tandem: Tandem, args: Arguments) {
  const secret = webhookSecret(args.secret ?? process.env.TANDEM_WEBHOOK_SECRET);
  const forwardTo = webAddress(args['forward-to'], '--forward-to', 'http://localhost:3000/webhooks');
  const since = instant(args.since, '--since') ?? new Date().toISOString();
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const untilStopped = (error: unknown) => {
    if (!stop.signal.aborted) throw error;
  };
  const endpoint = await tandem.getWebhook({ signal: stop.signal }).catch(untilStopped);
  if (endpoint === undefined) return;
  if (!endpoint.enabled)
    show.warn([
      `The webhook ${endpoint.url} is disabled. Tandem sends and logs no events until you enable the webhook with PUT /v1/platform/webhook.`,
    ]);
  const unsigned = secret === undefined ? ' The forwarded events are not signed. To sign them, pass --secret.' : '';
  const where = forwardTo === undefined ? '.' : ` and forwarding them to ${forwardTo}.${unsigned}`;
  if (!args.json) show.print([`Listening for events${where}`]);
  const tell = (told: ForwardedDelivery) => show.print([args.json ? JSON.stringify(told) : show.showTold(told)]);
  await listen(tandem, { since, forwardTo, secret, tell, signal: stop.signal }).catch(untilStopped);
}
