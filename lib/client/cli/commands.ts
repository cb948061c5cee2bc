import type { Job, Tandem } from '../tandem.ts';
import { listen, type Told } from './listen.ts';
import {
  type Arguments,
  demand,
  instant,
  minutes,
  type Option,
  pairs,
  take,
  webAddress,
  webhookSecret,
} from './options.ts';
import { print, showAvailability, showExplained, showJob, showMeeting, showTold, warn } from './show.ts';

/** What a command got, and how a person reads it. */
interface Outcome {
  answer: unknown;
  lines: string[];
  /** It was answered, and what it was to bring about has failed. */
  isFailure?: boolean;
}

export interface Command {
  options: Option[];
  run: (tandem: Tandem, args: Arguments, words: string[]) => Promise<Outcome>;
}

/** What can be typed, by its one or two words. */
export const COMMANDS: Record<string, Command> = {
  availability: {
    options: ['duration', 'from', 'to', 'context', 'fresh'],
    async run(tandem, { duration, from, to, context, fresh }, words) {
      const attendees = take(words, 'email', 'email');
      const range = { ...(from && { start_date: from }), ...(to && { end_date: to }) };
      const body = {
        attendees,
        duration_minutes: minutes(duration),
        context,
        date_range: from || to ? range : undefined,
      };
      const answer = await tandem.findAvailability(body, { fresh });
      return { answer, lines: showAvailability(answer) };
    },
  },

  explain: {
    options: ['duration', 'fresh'],
    async run(tandem, { duration, fresh }, words) {
      const [one, two, start_time] = take(words, 'email', 'email', 'time');
      const body = { attendees: [one, two], start_time, duration_minutes: minutes(duration) };
      const answer = await tandem.explainAvailability(body, { fresh });
      return { answer, lines: showExplained(answer) };
    },
  },

  schedule: {
    options: ['title', 'duration', 'require-free', 'metadata', 'idempotency-key'],
    async run(tandem, args, words) {
      const [one, two, start_time] = take(words, 'email', 'email', 'time');
      const title = demand(args.title, '--title');
      const duration_minutes = minutes(args.duration) ?? 30;
      const given = { title, metadata: pairs(args.metadata), require_free: args['require-free'] };
      const body = { attendees: [one, two], start_time, duration_minutes, ...given };
      const answer = await tandem.scheduleMeeting(body, { idempotencyKey: args['idempotency-key'] });
      const link = answer.meet_link === null ? '' : `, ${answer.meet_link}`;
      return { answer, lines: [`${answer.meeting_id} is booked for ${answer.start_time}${link}.`] };
    },
  },

  auto: {
    options: ['title', 'duration', 'context', 'wait', 'metadata', 'idempotency-key'],
    async run(tandem, { duration, title, context, metadata, wait, 'idempotency-key': idempotencyKey }, words) {
      const attendees = take(words, 'email', 'email');
      const given = { title, context: context as never, metadata: pairs(metadata) };
      const body = { attendees, duration_minutes: minutes(duration), ...given };
      const accepted = await tandem.scheduleAutomatically(body, { idempotencyKey });
      if (wait) return jobOutcome(await tandem.waitForJob(accepted.job_id));
      return { answer: accepted, lines: [`${accepted.job_id} is processing: tandem jobs ${accepted.job_id} --wait`] };
    },
  },

  jobs: {
    options: ['wait'],
    async run(tandem, { wait }, words) {
      const [id] = take(words, 'job_id');
      return jobOutcome(await (wait ? tandem.waitForJob(id) : tandem.getJob(id)));
    },
  },

  meetings: {
    options: ['from', 'to', 'status'],
    async run(tandem, { from, to, status }, words) {
      const [email] = take(words, 'email');
      const answer = await tandem.listUserMeetings(email, { from, to, status: status as never });
      const lines = answer.meetings.map(showMeeting);
      return { answer, lines: lines.length > 0 ? lines : [`${email} has no such meetings.`] };
    },
  },

  reschedule: {
    options: ['by', 'reason', 'idempotency-key'],
    async run(tandem, { by, reason, 'idempotency-key': idempotencyKey }, words) {
      const [id] = take(words, 'meeting_id');
      const body = { requested_by: demand(by, '--by'), reason: demand(reason, '--reason') };
      const answer = await tandem.rescheduleMeeting(id, body, { idempotencyKey });
      const moved = `${answer.new_meeting_id} takes its place at ${answer.new_meeting_time}.`;
      return { answer, lines: [moved, answer.reasoning, answer.learned_from] };
    },
  },

  cancel: {
    options: ['idempotency-key'],
    async run(tandem, { 'idempotency-key': idempotencyKey }, words) {
      const [id] = take(words, 'meeting_id');
      const answer = await tandem.cancelMeeting(id, { idempotencyKey });
      const kept = answer.calendar_event === 'deleted' ? '' : `; its calendar event is ${answer.calendar_event}`;
      return { answer, lines: [`${id} is cancelled${kept}.`] };
    },
  },

  'webhooks listen': {
    options: ['forward-to', 'secret', 'since'],
    async run(tandem, args, words) {
      take(words);
      await follow(tandem, args);
      return { answer: undefined, lines: [] };
    },
  },

  'webhooks replay': {
    options: ['since'],
    async run(tandem, { since }, words) {
      if (since !== undefined) {
        take(words);
        const answer = await tandem.replayDeliveries({ since });
        return { answer, lines: [answer.message, ...(answer.has_more ? [`More: --since ${answer.next_since}`] : [])] };
      }
      const [id] = take(words, 'delivery_id');
      const answer = await tandem.replayDelivery(id);
      return { answer, lines: [`${answer.delivery_id} sends ${answer.event_id} again.`] };
    },
  },
};

const jobOutcome = (answer: Job): Outcome => ({
  answer,
  lines: showJob(answer),
  isFailure: answer.result?.success === false,
});

/** Tells events until Ctrl-C; says first what would keep them from coming. */
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
    warn([`The endpoint ${endpoint.url} is switched off: no event is sent, or logged, until it is enabled.`]);
  const signed = secret === undefined ? ', unsigned: give --secret to have it signed' : '';
  const where = forwardTo === undefined ? '' : `, sent on to ${forwardTo}${signed}`;
  if (!args.json) print([`Following events${where}.`]);
  const tell = (told: Told) => print([args.json ? JSON.stringify(told) : showTold(told)]);
  await listen(tandem, { since, forwardTo, secret, tell, signal: stop.signal }).catch(untilStopped);
}
