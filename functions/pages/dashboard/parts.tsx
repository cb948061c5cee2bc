import { formatInTimeZone } from 'date-fns-tz';
import type { Child } from 'hono/jsx';
import { Field, Notice } from '../components.tsx';
import type { FormRefusal } from './query.ts';

/** Renders an instant in UTC: "22 November 2026, 10:02 UTC", or to the second for logs. */
export const At = ({ ms, isExact = false }: { ms: number; isExact?: boolean }) => (
  <time datetime={new Date(ms).toISOString()}>
    {isExact ? `${formatInTimeZone(ms, 'UTC', 'd MMM yyyy, HH:mm:ss')} UTC` : atOf(ms)}
  </time>
);

export const atOf = (ms: number) => `${formatInTimeZone(ms, 'UTC', 'd MMMM yyyy, HH:mm')} UTC`;

/** Formats a day in UTC: "22 November". */
export const dayName = (ms: number) => formatInTimeZone(ms, 'UTC', 'd MMMM');

/** Formats a day in UTC: "22 Nov". */
export const shortDay = (ms: number) => formatInTimeZone(ms, 'UTC', 'd MMM');

/**
 * Formats the time from a start to an end: "Monday 23 November 2026, 10:00 to 10:30 UTC". `isShort` abbreviates the
 * day.
 */
export function spanOf(start: number, end: number, { zone = 'UTC', isShort = false } = {}): string {
  const day = isShort ? 'EEE d MMM yyyy' : 'EEEE d MMMM yyyy';
  const [from, until] = [start, end].map((ms) => formatInTimeZone(ms, zone, day));
  const clock = (ms: number) => formatInTimeZone(ms, zone, 'HH:mm');
  const rest = from === until ? clock(end) : `${until}, ${clock(end)}`;
  return `${from}, ${clock(start)} to ${rest} ${zoneName(zone)}`;
}

export const Span = ({ start, end, ...as }: { start: number; end: number; zone?: string; isShort?: boolean }) => (
  <time datetime={new Date(start).toISOString()}>{spanOf(start, end, as)}</time>
);

const zoneName = (zone: string) => (zone === 'UTC' ? 'UTC' : `(${zone})`);

/** Says how long ago an instant was, in one unit: "3 minutes ago". */
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

/** Formats a count with its noun: "1 meeting", "1,200 meetings". */
export const many = (count: number, noun: string, plural = `${noun}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? noun : plural}`;

export const percent = (share: number) => `${Math.round(share * 1000) / 10}%`;

/** Returns a sentence about how many webhook deliveries of the last 30 days succeeded and failed. */
export function outcomeOf({ success, failed }: { success: number; failed: number }): string {
  if (success + failed === 0) return 'No webhooks were delivered in the last 30 days, and none failed.';
  const failures =
    failed === 0 ? 'none' : `${failed.toLocaleString('en-GB')} (${percent(failed / (success + failed))})`;
  return `${many(success, 'webhook was', 'webhooks were')} delivered in the last 30 days; ${failures} failed.`;
}

/** Shows why a form's request was rejected, with a link to the page where the person can fix it. */
export function Refused({ refusal }: { refusal: FormRefusal | undefined }) {
  if (refusal === undefined) return null;
  return (
    <Notice kind="bad">
      {refusal.code === 'webhook_disabled' ? (
        <>
          Sending is off. First tick “Send events” in the <a href="/dashboard/webhooks/endpoint">endpoint settings</a>.
        </>
      ) : (
        refusal.message
      )}
    </Notice>
  );
}

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

/** Renders links to the next page of a list, and back to its first page. */
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

/** Shows a text to copy in a read-only field with two lines, so that all of it is visible. */
export const CopyField = ({ id, label, value }: { id: string; label: Child; value: string }) => (
  <Field id={id} label={label}>
    <textarea id={id} readonly rows={2} class="code">
      {value}
    </textarea>
  </Field>
);

/** Renders the filters of a list. They are part of its address, so that a filtered list can be shared. */
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
