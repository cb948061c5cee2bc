import type {
  AvailabilityAnswer,
  Dashboard,
  ExplainAnswer,
  Health,
  Job,
  Meeting,
  PlatformUserStatus,
  ShownWebhook,
  Slot,
} from '../tandem.ts';
import type { ForwardedDelivery } from './listen.ts';

/** Formats a time in a time zone: "Tue 1 Dec 2026, 14:00 (Europe/Berlin)". */
export const clock = (time: string, timeZone: string): string => {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const day = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(Date.parse(time)).replace(',', '');
  return `${day}, ${hours(time, timeZone)} (${timeZone})`;
};

const hours = (time: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(Date.parse(time));

/**
 * Describes a free slot on the lines of a list: its time in both people's zones, and the ISO 8601 start with which to
 * book the slot.
 */
export function slotLines(slot: Slot, at: number): string[] {
  const [, ...others] = slot.attendees;
  const elsewhere = others.map(({ email, timezone }) => `${clock(slot.start_time, timezone)} for ${email}`);
  return [
    `${at + 1}. ${clock(slot.start_time, slot.timezone)}, score ${slot.score}`,
    `   ${[...elsewhere, slot.reason].join('; ')}`,
    `   ${slot.start_time}`,
  ];
}

export function showAvailability({
  slots,
  message,
  relaxations = [],
  search_window: { start, end },
}: AvailabilityAnswer) {
  if (slots.length > 0) return slots.flatMap(slotLines);
  const opened = relaxations.map(
    ({ change, email, opens }) =>
      `  ${change.replaceAll('_', ' ')}${email === null ? '' : ` for ${email}`} would open ${opens} ${opens === 1 ? 'time' : 'times'}`,
  );
  return [message ?? `There is no time between ${start} and ${end} when both are free.`, ...opened];
}

export function showExplained({
  offered,
  free,
  against,
  rank,
  candidates,
  passed_over,
  slot,
}: ExplainAnswer): string[] {
  if (offered)
    return [`Offered: it ranks ${rank} of ${candidates} times.`, ...(slot === undefined ? [] : [slot.reason])];
  if (free)
    return [
      `Free, but not offered: ${passed_over?.replaceAll('_', ' ')}. The time ranks ${rank} of ${candidates} times.`,
    ];
  return ['Not free:', ...against.map(({ detail }) => `  ${detail}`)];
}

export function showJob({ job_id, status, result }: Job): string[] {
  if (result === null) return [`${job_id} is ${status}.`];
  if (!result.success)
    return [`${job_id} failed: ${result.error_message}`, ...result.suggestions.map((one) => `  ${one}`)];
  const { start_time, match_quality } = result.chosen_slot;
  return [`${result.meeting_id} is booked for ${start_time}, ${match_quality} match.`, result.agent_reasoning];
}

export function showPlatform(
  baseUrl: string,
  { version }: Health,
  { platform, usage, connected_users }: Dashboard,
  webhook: ShownWebhook | null,
): string[] {
  const limit = usage.limit === null ? 'without a limit' : `of ${usage.limit}`;
  const events = webhook?.events.length;
  return [
    `${platform.name}, ${platform.id}, on plan ${platform.plan}`,
    `Tandem ${version} at ${baseUrl}`,
    `${usage.this_month} meetings this month, ${limit}; ${connected_users} people connected`,
    webhook === null
      ? 'No webhook endpoint, so no events are sent.'
      : `Webhook ${webhook.url}, ${webhook.enabled ? `enabled for ${events} ${events === 1 ? 'event' : 'events'}` : 'disabled'}`,
  ];
}

export const showConnection = (email: string, status: PlatformUserStatus): string[] =>
  status.connected
    ? [`${email} is connected since ${status.connected_at}, in ${status.timezone}.`]
    : [status.message, `This command prints the link: tandem connect ${email}`];

export const showMeeting = ({ meeting_id, status, title, start_time, attendees }: Meeting): string =>
  `${start_time}  ${meeting_id}  ${status.padEnd(11)}  ${title} (${attendees.join(', ')})`;

export const showTold = ({ timestamp, event, id, forwarded }: ForwardedDelivery): string =>
  [timestamp, event, id, ...(forwarded === null ? [] : [forwarded])].join('  ');

export const print = (lines: string[]) => process.stdout.write(written(lines));
/** Prints warnings to standard error, so that scripts that read standard output get only answers. */
export const warn = (lines: string[]) => process.stderr.write(written(lines));

const written = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
