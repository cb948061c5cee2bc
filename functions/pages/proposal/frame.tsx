import type { Context } from 'hono';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { formatInZone, knownZone, localDate, offsetAt } from '../../../lib/engine/time/zone.ts';
import type { Interval } from '../../../lib/engine/types.ts';
import { openPage, type ProposalPage } from '../../../lib/meetings/index.ts';
import { clockIn, dateIn, haveOneClock, quotedWords, weekdayIn, withPlace } from '../../../lib/words/people.ts';
import type { AppEnv } from '../../http/env.ts';
import { asRead } from '../clock.tsx';
import { ButtonLink, imagesOf, Mark, Notice, PlatformName } from '../components.tsx';
import { Layout, leadingToGoogle, renderPage } from '../layout.tsx';

export interface Seen extends ProposalPage {
  path: string;
  zone: string;
  isZoneGiven: boolean;
  /** True if nobody has told us the viewer's zone, so that the page shows the requester's. */
  isZoneUnknown: boolean;
  now: number;
}

export type Typed =
  | { field: 'reason'; text: string; error?: string | undefined }
  | { field: 'name'; time: string; text: string; error: string };

export const isMove = ({ proposal }: Pick<Seen, 'proposal'>) => proposal.movesMeetingId !== null;

export const nothingWas = (seen: Seen) =>
  isMove(seen) || seen.state.kind === 'meeting' ? 'The meeting was not moved' : 'Nothing was booked';

export const zoneField = ({ zone, isZoneGiven }: Seen) => ({ zone: isZoneGiven ? zone : undefined });

export const addressOf = ({ path, zone, isZoneGiven }: Seen) =>
  isZoneGiven ? `${path}?zone=${encodeURIComponent(zone)}` : path;

export const To = ({ seen, children }: { seen: Seen; children: Child }) => (
  <p class="actions">
    <ButtonLink to={addressOf(seen)}>{children}</ButtonLink>
  </p>
);

export type Message = { kind: 'info' | 'warn' | 'bad'; title: string; text: string };

const messageOf =
  (kind: Message['kind']) =>
  (title: string, text: string): Message => ({ kind, title, text });
export const [info, warn, bad] = [messageOf('info'), messageOf('warn'), messageOf('bad')];

const Text = ({ children }: { children: string }) => <p>{asRead(children)}</p>;

/** Reloads the page in the browser's time zone, once: the reloaded page has the zone in its URL and no script. */
const SCRIPT =
  "{const z=Intl.DateTimeFormat().resolvedOptions().timeZone,u=new URL(location.href);if(z&&z!==document.currentScript.dataset.zone&&!u.searchParams.has('zone')){u.searchParams.set('zone',z);location.replace(u.href)}}";

interface Framed {
  title: string;
  /** It sent the person here, so its name and its logo lead the page. */
  platform?: Seen['platform'];
  mark?: 'ok' | 'info' | 'warn' | undefined;
  /** The script compares it with the browser's. Absent without times, or if the URL names a zone. */
  guess?: string | undefined;
  message?: Message | undefined;
  leadsToGoogle?: boolean;
  status?: ContentfulStatusCode | undefined;
}

export const renderForGuest = (
  c: Context<AppEnv>,
  { title, platform, mark, guess, message, leadsToGoogle = false, status = 200 }: Framed,
  content: Child,
) =>
  renderPage(
    c,
    <Layout
      title={title}
      width="card"
      mark={
        <>
          {platform && <PlatformName {...platform} />}
          {mark && <Mark kind={mark} />}
        </>
      }
      head={
        <>
          <meta name="robots" content="noindex, nofollow" />
          {guess === undefined ? null : <script data-zone={guess}>{raw(SCRIPT)}</script>}
        </>
      }
    >
      {message === undefined ? null : (
        <Notice kind={message.kind} title={message.title}>
          <Text>{message.text}</Text>
        </Notice>
      )}
      {content}
    </Layout>,
    status,
    { script: SCRIPT, images: platform && imagesOf(platform), ...(leadsToGoogle && leadingToGoogle(c)) },
  );

/** The page does not say what is wrong with the URL. */
export function renderUnknown(c: Context<AppEnv>) {
  c.set('refusal', 'not_found');
  return renderForGuest(
    c,
    { title: 'This link does not work', mark: 'info', status: 404 },
    <p>Check that you opened the whole link. If it still does not work, ask whoever sent it to you for a new one.</p>,
  );
}

/** Names the requester as the platform did, or else by their address, because Tandem stores no names of people. */
export const Asker = ({ proposal }: Pick<ProposalPage, 'proposal'>) => (
  <bdi>{proposal.requesterName ?? proposal.requesterEmail}</bdi>
);

export function noneTitle({ state }: Seen, times: number): string {
  if (times === 0) return state.kind === 'open' && state.mayCounter ? 'Other times' : 'Decline';
  return times === 1 ? 'Not this time' : 'None of these';
}

export const Source = ({ seen, seen: { platform, proposal }, times }: { seen: Seen; times: number }) => (
  <p class="muted small">
    Sent through <bdi>{platform.name}</bdi>
    {proposal.requesterName === null ? null : [' for ', <bdi>{proposal.requesterEmail}</bdi>]}. If you did not expect
    this,{' '}
    {proposal.onExpiry === 'cancel'
      ? 'close the page. Nothing happens until you choose.'
      : `open ${quotedWords(noneTitle(seen, times))} above and decline.`}
  </p>
);

/** It is what the browser or the person gave, or else the person's zone in Tandem, or the requester's. */
export function seenAt(c: Context<AppEnv>, page: ProposalPage, path: string, asked: string | undefined): Seen {
  const given = knownZone(asked ?? '');
  const isZoneGiven = given !== undefined;
  const guess = page.otherTimeZone ?? page.requesterTimeZone ?? 'UTC';
  return {
    ...page,
    path,
    zone: given ?? guess,
    isZoneGiven,
    isZoneUnknown: !isZoneGiven && page.otherTimeZone === undefined,
    now: c.var.ctx.clock.now(),
  };
}

/** Loads what the person saw again, because it may have changed meanwhile. */
export async function seenAgain(c: Context<AppEnv>, { tokenHash, path, zone, isZoneGiven }: Seen) {
  const page = await openPage(c.var.ctx, tokenHash);
  return page && seenAt(c, page, path, isZoneGiven ? zone : undefined);
}

export function hideAddress(response: Response): Response {
  response.headers.set('Referrer-Policy', 'no-referrer');
  response.headers.set('X-Robots-Tag', 'noindex, nofollow');
  return response;
}

const readIn = (at: number, timeZone: string) => asRead(clockIn(at, timeZone));

/** If the clocks change meanwhile, the end could read earlier than the start, so both get their UTC offset. */
export function onClock({ start, end }: Interval, timeZone: string): { date: string; hours: string } {
  const isChanging = offsetAt(timeZone, start) !== offsetAt(timeZone, end);
  const clock = (at: number) =>
    `${readIn(at, timeZone)}${isChanging ? ` (${formatInZone(timeZone, at).slice(19)})` : ''}`;
  const date = dateIn(start, timeZone);
  const lastDate = dateIn(end, timeZone);
  const until = lastDate === date ? clock(end) : `${clock(end)} on ${lastDate}`;
  return { date, hours: `${clock(start)} to ${until}` };
}

/** Formats a time on one clock: "Thursday, 26 November, 15:00 to 15:30". */
export function whenOn(time: Interval, timeZone: string): string {
  const { date, hours } = onClock(time, timeZone);
  return `${date}, ${hours}`;
}

/** Adds the weekday if it differs from the viewer's. Undefined if both clocks show the same. */
export function beside(start: number, requesterZone: string | undefined, viewerZone: string): string | undefined {
  const partyIn = (timeZone: string) => ({ email: '', timeZone });
  const theirs = requesterZone ?? viewerZone;
  if (haveOneClock(start, [partyIn(theirs), partyIn(viewerZone)])) return undefined;
  const clock = withPlace(readIn(start, theirs), theirs);
  return localDate(theirs, start) === localDate(viewerZone, start) ? clock : `${weekdayIn(start, theirs)}, ${clock}`;
}

export function partOfDay(at: number, timeZone: string): string {
  const hour = Number(formatInZone(timeZone, at).slice(11, 13));
  const [, part = 'night'] = Object.entries(PARTS).find(([until]) => hour < Number(until)) ?? [];
  return withPlace(part, timeZone);
}

/** The parts of a day, by the hour until which each lasts. The rest is night. */
const PARTS = { 5: 'night', 12: 'morning', 18: 'afternoon', 22: 'evening' };

/** Formats the day and hour until which something lasts: "Thursday, 26 November, 15:00". */
export const momentOn = (at: number, timeZone: string) => `${dateIn(at, timeZone)}, ${readIn(at, timeZone)}`;

/** A time is kept until the deadline or until it begins, whichever is first. `more` says so of several. */
export function keptUntil(times: readonly Interval[], deadline: number) {
  const first = Math.min(...times.map(({ start }) => start));
  if (times.length === 1 || first >= deadline) return { at: Math.min(first, deadline), more: '' };
  return { at: deadline, more: ', each at most until it begins' };
}

/** Returns the name of a time zone as it stands after "in": "London", "UTC". */
export const zoneTitle = (timeZone: string) => withPlace('', timeZone).replace(/^ (?:in )?/, '');
