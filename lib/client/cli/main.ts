#!/usr/bin/env node
import { createTandem, JobTimeoutError, type Tandem, TandemConnectionError, TandemError } from '../tandem.ts';
import { listen } from './listen.ts';
import { type Arguments, demand, minutes, pairs, readArguments, take, webhookSecret } from './options.ts';
import { showAvailability, showExplained, showJob, showMeeting } from './show.ts';
import { USAGE, UsageError } from './usage.ts';

/** What a command got, and how a person reads it. */
interface Outcome {
  answer: unknown;
  lines: string[];
}

type Command = (tandem: Tandem, args: Arguments, words: string[]) => Promise<Outcome>;

const COMMANDS: Record<string, Command> = {
  async availability(tandem, { duration, from, to, context, fresh }, words) {
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

  async explain(tandem, { duration, fresh }, words) {
    const [one, two, start_time] = take(words, 'email', 'email', 'time');
    const body = { attendees: [one, two], start_time, duration_minutes: minutes(duration) };
    const answer = await tandem.explainAvailability(body, { fresh });
    return { answer, lines: showExplained(answer) };
  },

  async schedule(tandem, args, words) {
    const [one, two, start_time] = take(words, 'email', 'email', 'time');
    const title = demand(args.title, '--title');
    const duration_minutes = minutes(args.duration) ?? 30;
    const given = { title, metadata: pairs(args.metadata), require_free: args['require-free'] };
    const body = { attendees: [one, two], start_time, duration_minutes, ...given };
    const answer = await tandem.scheduleMeeting(body, { idempotencyKey: args['idempotency-key'] });
    const link = answer.meet_link === null ? '' : `, ${answer.meet_link}`;
    return { answer, lines: [`${answer.meeting_id} is booked for ${answer.start_time}${link}.`] };
  },

  async auto(tandem, { duration, title, context, metadata, wait, 'idempotency-key': idempotencyKey }, words) {
    const attendees = take(words, 'email', 'email');
    const given = { title, context: context as never, metadata: pairs(metadata) };
    const body = { attendees, duration_minutes: minutes(duration), ...given };
    const accepted = await tandem.scheduleAutomatically(body, { idempotencyKey });
    if (!wait)
      return { answer: accepted, lines: [`${accepted.job_id} is processing: tandem jobs ${accepted.job_id} --wait`] };
    const answer = await tandem.waitForJob(accepted.job_id);
    return { answer, lines: showJob(answer) };
  },

  async jobs(tandem, { wait }, words) {
    const [id] = take(words, 'job_id');
    const answer = await (wait ? tandem.waitForJob(id) : tandem.getJob(id));
    return { answer, lines: showJob(answer) };
  },

  async meetings(tandem, { from, to, status }, words) {
    const [email] = take(words, 'email');
    const answer = await tandem.listUserMeetings(email, { from, to, status: status as never });
    const lines = answer.meetings.map(showMeeting);
    return { answer, lines: lines.length > 0 ? lines : [`${email} has no such meetings.`] };
  },

  async reschedule(tandem, { by, reason, 'idempotency-key': idempotencyKey }, words) {
    const [id] = take(words, 'meeting_id');
    const body = { requested_by: demand(by, '--by'), reason: demand(reason, '--reason') };
    const answer = await tandem.rescheduleMeeting(id, body, { idempotencyKey });
    const moved = `${answer.new_meeting_id} takes its place at ${answer.new_meeting_time}.`;
    return { answer, lines: [moved, answer.reasoning, answer.learned_from] };
  },

  async cancel(tandem, { 'idempotency-key': idempotencyKey }, words) {
    const [id] = take(words, 'meeting_id');
    const answer = await tandem.cancelMeeting(id, { idempotencyKey });
    const kept = answer.calendar_event === 'deleted' ? '' : `; its calendar event is ${answer.calendar_event}`;
    return { answer, lines: [`${id} is cancelled${kept}.`] };
  },

  async webhooks(tandem, args, [action, ...words]) {
    if (action === 'replay') return replay(tandem, args, words);
    if (action !== 'listen') throw new UsageError('webhooks takes listen or replay.');
    take(words);
    await follow(tandem, args);
    return { answer: undefined, lines: [] };
  },
};

async function replay(tandem: Tandem, { since }: Arguments, words: string[]): Promise<Outcome> {
  if (since !== undefined) {
    take(words);
    const answer = await tandem.replayDeliveries({ since });
    return { answer, lines: [answer.message, ...(answer.has_more ? [`More: --since ${answer.next_since}`] : [])] };
  }
  const [id] = take(words, 'delivery_id');
  const answer = await tandem.replayDelivery(id);
  return { answer, lines: [`${answer.delivery_id} sends ${answer.event_id} again.`] };
}

async function follow(tandem: Tandem, args: Arguments) {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const secret = webhookSecret(args.secret ?? process.env.TANDEM_WEBHOOK_SECRET);
  const forwardTo = args['forward-to'];
  const signed = secret === undefined ? ', unsigned: give --secret to have it signed' : '';
  print([forwardTo === undefined ? 'Following events.' : `Following events, sent on to ${forwardTo}${signed}.`]);
  const since = args.since ?? new Date().toISOString();
  const say = (line: string) => print([line]);
  await listen(tandem, { since, forwardTo, secret, say, signal: stop.signal }).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
}

const print = (lines: string[]) => process.stdout.write(lines.map((line) => `${line}\n`).join(''));

async function main() {
  const args = readArguments(process.argv.slice(2));
  const [name, ...words] = args.words;
  if (args.help || name === undefined) return print([USAGE.trimEnd()]);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`"${name}" is no command.`);
  const { TANDEM_API_KEY: apiKey, TANDEM_URL: baseUrl } = process.env;
  if (!apiKey || !baseUrl) throw new UsageError(`${apiKey ? 'TANDEM_URL' : 'TANDEM_API_KEY'} is not set.`);
  const { answer, lines } = await command(createTandem({ apiKey, baseUrl }), args, words);
  if (args.json && answer !== undefined) print([JSON.stringify(answer, null, 2)]);
  else print(lines);
}

function failed(error: unknown): { exitCode: number; said: string } {
  if (error instanceof UsageError) return { exitCode: 2, said: `${error.message} "tandem --help" lists the commands.` };
  if (error instanceof TandemError) {
    const { code, facts } = error;
    const about = [facts.field && `field ${facts.field}`, facts.docs].filter((part) => part !== undefined);
    return { exitCode: 1, said: `${error.message}\n${[code, ...about].join(', ')}` };
  }
  if (error instanceof TandemConnectionError || error instanceof JobTimeoutError)
    return { exitCode: 1, said: error.message };
  throw error;
}

await main().catch((error: unknown) => {
  const { exitCode, said } = failed(error);
  process.stderr.write(`${said}\n`);
  process.exitCode = exitCode;
});
