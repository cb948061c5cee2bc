import { Hono } from 'hono';
import * as z from 'zod';
import { formatDate, parseDate, sayDate } from '../../../lib/engine/time/dates.ts';
import { localDate, localDay, startOfDay } from '../../../lib/engine/time/zone.ts';
import { hasCode } from '../../../lib/kit/errors.ts';
import { listPlatformMeetings } from '../../../lib/meetings/index.ts';
import { text } from '../../../schema/api/fields.ts';
import * as api from '../../../schema/api/meetings.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { clockOf, Span } from '../clock.tsx';
import { Empty, InputField, Status } from '../components.tsx';
import { pageAsked, renderList } from './frame.tsx';
import { Filters, FoldedFilters, StatusField, TitleLink } from './parts.tsx';
import { currentPlatform, givenOf, page } from './session.ts';

const PATH = '/dashboard/meetings';
/** Number of days whose meetings a search by title reads at most, so that its cost is bounded. */
const SEARCHED_DAYS = 92;
const TitleQuery = z.object({ title: text(200).optional() });

export const STATUSES = {
  scheduled: { words: 'Scheduled', kind: 'ok' },
  updated: { words: 'Changed', kind: 'ok' },
  cancelled: { words: 'Cancelled', kind: 'bad' },
  rescheduled: { words: 'Replaced', kind: 'info' },
} as const satisfies Record<api.Meeting['status'], object>;

export const meetings = new Hono<AppEnv>();

page(meetings, PATH, (c) => {
  const asked = givenOf(c);
  // Without filters, the list shows upcoming meetings.
  const { zone, now } = clockOf(c);
  const isAsked = Object.keys(asked).length > 0;
  const given = isAsked ? asked : { from: localDate(zone, now) };
  const today = localDay(zone, now);
  const searched = searchedDays(given, today);
  return renderList(c, {
    ...{ title: 'Meetings', at: PATH, given },
    read: async () => {
      const { title } = check(TitleQuery, { title: given.title });
      const filter = { ...given, ...spanGiven({ ...given, ...searched }, zone) };
      const asked = { ...pageAsked(api.listMeetings.query, filter), title };
      const found = await listPlatformMeetings(c.var.ctx, currentPlatform(c), asked).catch(noneOfNobody);
      return { rows: found.meetings, next: found.next };
    },
    above: (
      <>
        <FoldedFilters isOpen={isAsked} action={PATH}>
          <InputField id="title" label="Part of the title" type="search" value={given.title} maxlength={200} />
          <InputField id="attendee" label="Person" type="email" value={given.attendee} placeholder="name@example.com" />
          <StatusField of={STATUSES} value={given.status} />
          <InputField id="from" label="First day" type="date" value={given.from} />
          <InputField id="to" label="Last day" type="date" value={given.to} />
        </FoldedFilters>
        {searched && <Searched {...searched} />}
      </>
    ),
    head: ['Meeting', { name: 'When', short: '' }, { name: 'Who', short: '' }, { name: 'Status', short: '' }],
    row: (meeting) => [
      <TitleLink to={`${PATH}/${meeting.meeting_id}`}>{meeting.title}</TitleLink>,
      <Span start={Date.parse(meeting.start_time)} end={Date.parse(meeting.end_time)} />,
      meeting.rsvps.map(({ email, response_status }, place) => (
        <div class="address">
          {email}
          {place === 0 ? null : <div class="small muted">{RSVP_WORDS[response_status]}</div>}
        </div>
      )),
      <Status of={STATUSES[meeting.status]} />,
    ],
    none: <Nothing {...{ isAsked, today }} />,
    below: (
      <>
        <h2>Find a meeting</h2>
        <Filters action={`${PATH}/find`} button="Open">
          <InputField id="id" label="Meeting ID" type="search" placeholder="meet_…" required />
        </Filters>
      </>
    ),
  });
});

/** A person who is not connected has no meetings here, which is no fault of the filter. */
function noneOfNobody(error: unknown) {
  if (hasCode(error, 'user_not_found')) return { meetings: [], next: undefined };
  throw error;
}

page(meetings, `${PATH}/find`, (c) =>
  c.redirect(`${PATH}/${encodeURIComponent((c.req.query('id') ?? '').trim().replace(/^\.{0,2}$/, '-'))}`, 303),
);

type Days = { from: string; to: string };

/** At most `SEARCHED_DAYS` from the first day or around today. A person's meetings are few, so all are searched. */
function searchedDays({ title, attendee, from, to }: Record<string, string>, today: number): Days | undefined {
  const [first, last] = [from, to].map((day) => (day === undefined ? undefined : parseDate(day)));
  const isWrong = (from !== undefined && first === undefined) || (to !== undefined && last === undefined);
  if (title === undefined || attendee !== undefined || isWrong) return undefined;
  const start = first ?? (last === undefined ? today - SEARCHED_DAYS / 2 : last - SEARCHED_DAYS + 1);
  const end = Math.min(last ?? Number.POSITIVE_INFINITY, start + SEARCHED_DAYS - 1);
  return { from: formatDate(start), to: formatDate(end) };
}

const Searched = ({ from, to }: Days) => (
  <p class="hint">
    Searched: the titles of meetings from {sayDate(from)} to {sayDate(to)}. A search covers {SEARCHED_DAYS} days. To
    search others, change the first day.
  </p>
);

/** The instants are the start of the first day, and the end of the last, on the page's clock. */
function spanGiven({ from, to }: Record<string, string>, zone: string) {
  return {
    ...(from === undefined ? {} : { from: startOf(from, zone) }),
    ...(to === undefined ? {} : { to: startOf(to, zone, 1) }),
  };
}

/** Returns invalid text unchanged, so that the check of the filter rejects it. */
function startOf(given: string, zone: string, daysLater = 0): string {
  const day = parseDate(given);
  return day === undefined ? given : new Date(startOfDay(zone, day + daysLater)).toISOString();
}

const Nothing = ({ isAsked, today }: { isAsked: boolean; today: number }) =>
  isAsked ? (
    <Empty title="No meetings match">
      <a href={PATH}>Show upcoming meetings</a>
    </Empty>
  ) : (
    <Empty title="No upcoming meetings">
      Meetings appear here once <a href="/docs">your server books one</a>.{' '}
      <a href={`${PATH}?from=${formatDate(today - 30)}&to=${formatDate(today)}`}>Show past meetings</a>
    </Empty>
  );

export const RSVP_WORDS: Record<api.Meeting['rsvps'][number]['response_status'], string> = {
  needsAction: 'invitation not answered',
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'maybe',
};
