import type { Answers } from '../tandem.ts';
import type { ForwardedDelivery } from './events.ts';

export const many = (count: number, noun: string, plural = `${noun}s`) => `${count} ${count === 1 ? noun : plural}`;

/** A cell longer than `widest` is not cut, but shifts the rest of its row to the right. */
export function columns(rows: string[][], widest = Number.POSITIVE_INFINITY): string[] {
  const lengthsOf = (column: number) => rows.map((row) => row[column]?.length ?? 0);
  const widths = rows[0]?.map((_, column) => Math.min(widest, Math.max(...lengthsOf(column)))) ?? [];
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return cells.join('  ').trimEnd();
  });
}

/** Formats a time in a time zone: "Tue 1 Dec 2026, 14:00 (Europe/Berlin)". */
export const clock = (time: string, timeZone: string): string => {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const day = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(Date.parse(time)).replace(',', '');
  return `${day}, ${hours(time, timeZone)} (${timeZone})`;
};

const hours = (time: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(Date.parse(time));

/** The three lines have both people's zones, and the ISO 8601 start with which to book the slot. */
export function slotLines(slot: Answers['Slot'], at: number): string[] {
  const [, ...others] = slot.attendees;
  const elsewhere = others.map(({ email, timezone }) => `${clock(slot.start_time, timezone)} for ${email}`);
  return [
    `${at + 1}. ${clock(slot.start_time, slot.timezone)}, score ${slot.score}`,
    `   ${[...elsewhere, slot.reason].join('; ')}`,
    `   ${slot.start_time}`,
  ];
}

export function showAvailability({ slots, message, relaxations = [], search_window }: Answers['AvailabilityAnswer']) {
  const { start, end } = search_window;
  if (slots.length > 0) return slots.flatMap(slotLines);
  const opened = relaxations.map(
    ({ change, email, opens }) =>
      `  ${change.replaceAll('_', ' ')}${email === null ? '' : ` for ${email}`} would open ${opens} ${opens === 1 ? 'time' : 'times'}`,
  );
  return [message ?? `There is no time between ${start} and ${end} when both are free.`, ...opened];
}

export function showExplained(answer: Answers['ExplainAnswer']): string[] {
  const { offered, free, against, rank, candidates, passed_over, slot } = answer;
  if (offered)
    return [
      `A search offers this time. It ranks ${rank} of ${candidates} free times.`,
      ...(slot === undefined ? [] : [slot.reason]),
    ];
  if (free)
    return [
      `Both people are free at this time, but a search does not offer it (${passed_over?.replaceAll('_', ' ')}). It ranks ${rank} of ${candidates} free times.`,
    ];
  return ['Not free:', ...against.map(({ detail }) => `  ${detail}`)];
}

export function showJob({ job_id, status, result }: Answers['Job']): string[] {
  if (result === null) return [`${job_id} is ${status}.`];
  if (!result.success)
    return [`${job_id} failed: ${result.error_message}`, ...result.suggestions.map((one) => `  ${one}`)];
  const { start_time, match_quality } = result.chosen_slot;
  return [`${result.meeting_id} is booked for ${start_time}, ${match_quality} match.`, result.agent_reasoning];
}

export function showPlatform(
  baseUrl: string,
  { version }: Answers['Health'],
  { platform, usage, connected_users }: Answers['Dashboard'],
  webhook: Answers['ShownWebhook'] | null,
): string[] {
  const limit = usage.limit === null ? 'without a limit' : `of ${usage.limit}`;
  return [
    `${platform.name}, ${platform.id}, on plan ${platform.plan}`,
    `Tandem ${version} at ${baseUrl}`,
    `${many(usage.this_month, 'meeting')} this month, ${limit}; ${many(connected_users, 'person', 'people')} connected`,
    webhook === null
      ? 'This platform has no webhook URL, so Tandem sends no events.'
      : `Webhook ${webhook.url}, ${webhook.enabled ? `enabled for ${many(webhook.events.length, 'event')}` : 'disabled'}`,
  ];
}

export const showConnection = (email: string, status: Answers['PlatformUserStatus']): string[] =>
  status.connected
    ? [`${email} is connected since ${status.connected_at}, in ${status.timezone}.`]
    : [status.message, `This command prints the link: tandem connect ${email}`];

export const showMeeting = ({ meeting_id, status, title, start_time, attendees }: Answers['Meeting']): string =>
  `${start_time}  ${meeting_id}  ${status.padEnd(11)}  ${title} (${attendees.join(', ')})`;

export function showProposal({
  proposal_id,
  status,
  times,
  url,
  expires_at,
  meeting_id,
}: Answers['Proposal']): string[] {
  const state =
    status === 'open'
      ? `${proposal_id} is open until ${expires_at}.`
      : `${proposal_id} is ${status}${meeting_id === null ? '' : `, and its meeting is ${meeting_id}`}.`;
  const offered = times.map(({ id, start_time, status: held, reason }) => `  ${start_time}  ${id}  ${held}  ${reason}`);
  const page = status === 'open' && url !== null ? ['Send this link to the second attendee:', `  ${url}`] : [];
  return [state, ...offered, ...page];
}

export const proposalLine = ({ proposal_id, status, title, attendees, expires_at }: Answers['Proposal']): string =>
  `${expires_at}  ${proposal_id}  ${status.padEnd(9)}  ${title} (${attendees.join(', ')})`;

export const showTold = ({ timestamp, event, id, forwarded }: ForwardedDelivery): string =>
  [timestamp, event, id, ...(forwarded === null ? [] : [forwarded])].join('  ');

export const print = (lines: string[]) => process.stdout.write(written(lines));
/** Prints warnings to standard error, so that scripts that read standard output get only answers. */
export const warn = (lines: string[]) => process.stderr.write(written(lines));

/** Others wrote titles, names and errors, so a control character, which could move the cursor, is shown as in JSON. */
const written = (lines: string[]) =>
  lines
    .map((line) => `${line.replace(/\p{Cc}/gu, (sign) => `\\u00${Buffer.from(sign, 'latin1').toString('hex')}`)}\n`)
    .join('');
