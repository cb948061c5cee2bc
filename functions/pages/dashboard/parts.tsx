import { formatInTimeZone } from 'date-fns-tz';
import type { Child } from 'hono/jsx';
import { Field, Notice } from '../components.tsx';
import type { Refusal } from './query.ts';

/** An instant as a person reads it: "22 November 2026, 10:02 UTC"; an exact one, as logs have it, to the second. */
export const At = ({ ms, isExact = false }: { ms: number; isExact?: boolean }) => (
  <time datetime={new Date(ms).toISOString()}>
    {isExact ? `${formatInTimeZone(ms, 'UTC', 'd MMM yyyy, HH:mm:ss')} UTC` : atOf(ms)}
  </time>
);

export const atOf = (ms: number) => `${formatInTimeZone(ms, 'UTC', 'd MMMM yyyy, HH:mm')} UTC`;

/** "22 November" of UTC. */
export const dayName = (ms: number) => formatInTimeZone(ms, 'UTC', 'd MMMM');

/** "22 Nov" of UTC. */
export const shortDay = (ms: number) => formatInTimeZone(ms, 'UTC', 'd MMM');

/** "Monday 23 November 2026, 10:00 to 10:30 UTC"; a short one abbreviates the day. */
export function spanOf(start: number, end: number, { zone = 'UTC', isShort = false } = {}): string {
  const day = isShort ? 'EEE d MMM yyyy' : 'EEEE d MMMM yyyy';
  const [from, until] = [start, end].map((ms) => formatInTimeZone(ms, zone, day));
  const clock = (ms: number) => formatInTimeZone(ms, zone, 'HH:mm');
  const rest = from === until ? clock(end) : `${until}, ${clock(end)}`;
  return `${from}, ${clock(start)} to ${rest} ${zoneName(zone)}`;
}

/** A span of time as a person reads it, with its zone. */
export const Span = ({ start, end, ...as }: { start: number; end: number; zone?: string; isShort?: boolean }) => (
  <time datetime={new Date(start).toISOString()}>{spanOf(start, end, as)}</time>
);

const zoneName = (zone: string) => (zone === 'UTC' ? 'UTC' : `(${zone})`);

/** How long ago or how soon an instant is, in one unit: "3 minutes ago". */
export function agoOf(ms: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - ms) / 1000));
  if (seconds < 60) return 'less than a minute ago';
  const [amount, unit] =
    seconds < 3600
      ? [Math.floor(seconds / 60), 'minute']
      : seconds < 172_800
        ? [Math.floor(seconds / 3600), 'hour']
        : [Math.floor(seconds / 86_400), 'day'];
  return `${many(amount, unit)} ago`;
}

/** "1 meeting", "1,200 meetings". */
export const many = (count: number, noun: string, plural = `${noun}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? noun : plural}`;

export const percent = (share: number) => `${Math.round(share * 1000) / 10}%`;

/** How the webhooks of the last 30 days ended, in a sentence. */
export function outcomeOf({ success, failed }: { success: number; failed: number }): string {
  if (success + failed === 0) return 'No delivery has ended in the last 30 days.';
  const failures =
    failed === 0 ? 'none' : `${failed.toLocaleString('en-GB')} (${percent(failed / (success + failed))})`;
  return `${many(success, 'webhook was', 'webhooks were')} delivered in the last 30 days; ${failures} failed.`;
}

/** Why something was refused, and where it is mended. */
export function Refused({ refusal }: { refusal: Refusal | undefined }) {
  if (refusal === undefined) return null;
  return (
    <Notice kind="bad">
      {refusal.code === 'webhook_disabled' ? (
        <>
          Sending is off. Tick “Send events” in the <a href="/dashboard/webhooks/endpoint">endpoint settings</a> first.
        </>
      ) : (
        refusal.message
      )}
    </Notice>
  );
}

/** A choice of one, each option by its value. */
export function Select({
  name,
  value,
  options,
  id = name,
}: {
  name: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  id?: string;
}) {
  return (
    <select name={name} id={id} class="short">
      {options.map(([option, label]) => (
        <option value={option} selected={option === value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The way to the next page of a list, and back to its first. */
export function Pager({ path, query, cursor, next }: PagerProps) {
  const given = Object.entries(query).filter(([name, value]) => name !== 'cursor' && value !== '');
  const link = (more: [string, string][]) => `${path}?${new URLSearchParams([...given, ...more])}`;
  if (cursor === undefined && next === null) return null;
  return (
    <p class="actions">
      {cursor === undefined ? null : <a href={link([])}>First page</a>}
      {next === null ? null : <a href={link([['cursor', next]])}>Next page</a>}
    </p>
  );
}

interface PagerProps {
  path: string;
  query: Record<string, string>;
  cursor: string | undefined;
  next: string | null;
}

/** A text to be copied: a field that takes no other text and shows all of it. */
export const CopyField = ({ id, label, value }: { id: string; label: Child; value: string }) => (
  <Field id={id} label={label}>
    <textarea id={id} readonly rows={2} class="code">
      {value}
    </textarea>
  </Field>
);

/** A filter of a list: what it shows is asked for by its address. */
export const Filters = ({
  action,
  button = 'Show',
  children,
}: {
  action: string;
  button?: string;
  children: Child;
}) => (
  <search>
    <form method="get" action={action} class="line">
      {children}
      <button type="submit" class="quiet">
        {button}
      </button>
    </form>
  </search>
);
