import type { AvailabilityAnswer, ExplainAnswer, Job, Meeting, Slot } from '../tandem.ts';
import type { Told } from './listen.ts';

/** A time as a person reads it: "Tue 1 Dec 2026, 14:00 (Europe/Berlin)". */
export const clock = (time: string, timeZone: string): string => {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const day = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(Date.parse(time)).replace(',', '');
  return `${day}, ${hours(time, timeZone)} (${timeZone})`;
};

const hours = (time: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(Date.parse(time));

/** A slot in the requester's and the other's zone, and as it is booked. */
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
      `  ${change.replaceAll('_', ' ')}${email === null ? '' : ` of ${email}`} would open ${opens} times`,
  );
  return [message ?? `Nothing is free for both between ${start} and ${end}.`, ...opened];
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
  if (offered) return [`Offered: number ${rank} of ${candidates} times.`, ...(slot === undefined ? [] : [slot.reason])];
  if (free) return [`Free, but not offered: ${passed_over?.replaceAll('_', ' ')}; number ${rank} of ${candidates}.`];
  return ['Not free:', ...against.map(({ detail }) => `  ${detail}`)];
}

export function showJob({ job_id, status, result }: Job): string[] {
  if (result === null) return [`${job_id} is ${status}.`];
  if (!result.success)
    return [`${job_id} failed: ${result.error_message}`, ...result.suggestions.map((one) => `  ${one}`)];
  const { start_time, match_quality } = result.chosen_slot;
  return [`${result.meeting_id} is booked for ${start_time}, ${match_quality} match.`, result.agent_reasoning];
}

export const showMeeting = ({ meeting_id, status, title, start_time, attendees }: Meeting): string =>
  `${start_time}  ${meeting_id}  ${status.padEnd(11)}  ${title} (${attendees.join(', ')})`;

export const showTold = ({ timestamp, event, id, forwarded }: Told): string =>
  [timestamp, event, id, ...(forwarded === null ? [] : [forwarded])].join('  ');

export const print = (lines: string[]) => process.stdout.write(written(lines));
/** What is no answer: it keeps out of what scripts read. */
export const warn = (lines: string[]) => process.stderr.write(written(lines));

const written = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
