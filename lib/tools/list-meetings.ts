import * as z from 'zod';
import { minutes as whole } from '../../schema/api/fields.ts';
import { listUserMeetings, type Meeting } from '../../schema/api/meetings.ts';
import { toPagination } from '../../schema/api/paging.ts';
import { listMeetingsOf, listOwnMeetings } from '../meetings/read.ts';
import { readPreferences } from '../users/preferences.ts';
import { readingTool } from './tool.ts';
import { time as clock, knownZone, sayWhen, toWhen, when, type Zoned, zonesOf } from './when.ts';

const { from, to, status, cursor } = listUserMeetings.query.shape;
const shown = { from: clock.optional(), to: clock.optional() };
const filter = { from, to, status, limit: whole(1, 50).default(20), cursor };

const SPAN = { path: ['to'], error: 'must be after from' };
const isSpan = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;

const words = {
  name: 'list_meetings',
  title: "List a person's meetings",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  shown,
  said: { cursor: 'The next_cursor of the page before' },
  output: z.object({
    meetings: z.array(
      z.object({
        meeting_id: z.string(),
        title: z.string(),
        status: z.string(),
        ...when,
        meet_link: z.string().optional(),
        metadata: z.record(z.string(), z.string()).optional(),
      }),
    ),
    total: z.int(),
    next_cursor: z.string().optional(),
  }),
};

/** The meetings of anybody whom the platform schedules. */
export const listMeetings = readingTool({
  ...words,
  description: 'Those made here that start from `from` on and before `to`, in order of their start.',
  for: 'platform',
  input: z.object({ email: listUserMeetings.params.shape.email, ...filter }).refine(isSpan, SPAN),
  async run({ ctx, caller: { platform }, input: { cursor: after, ...asked } }) {
    const { meetings, total, next } = await listMeetingsOf(ctx, platform, { ...asked, after });
    const people = await zonesOf(ctx, platform, [...new Set(meetings.flatMap(({ attendees }) => attendees))]);
    return tell({ meetings, total, next, people, hasMetadata: true });
  },
});

/** A person's own, of all platforms; nobody else's clock is theirs to know. */
export const listMeetingsOfCaller = readingTool({
  ...words,
  title: 'List your meetings',
  description: 'Those that start from `from` on and before `to`, of all platforms, in order of their start.',
  for: 'user',
  input: z.object(filter).refine(isSpan, SPAN),
  async run({ ctx, caller, input: { cursor: after, ...asked } }) {
    const [{ meetings, total, next }, { email, preferences }] = await Promise.all([
      listOwnMeetings(ctx, { ...asked, email: caller.email, after }),
      readPreferences(ctx, caller.userId),
    ]);
    return tell({ meetings, total, next, people: [{ email, timeZone: knownZone(preferences.timeZone) }] });
  },
});

interface Page {
  meetings: Meeting[];
  total: number;
  next: Parameters<typeof toPagination>[0];
  people: Zoned[];
  /** The platform's own pairs are for the platform. */
  hasMetadata?: boolean;
}

function tell({ meetings, total, next, people, hasMetadata = false }: Page) {
  const next_cursor = toPagination(next).next_cursor ?? undefined;
  const shown = meetings.map(({ meeting_id, title, status, start_time, end_time, attendees, meet_link, metadata }) => {
    const both = attendees.map((email) => people.find((one) => one.email === email) ?? { email, timeZone: undefined });
    const time = toWhen({ start: Date.parse(start_time), end: Date.parse(end_time) }, both);
    const own = hasMetadata && Object.keys(metadata).length > 0 ? { metadata } : {};
    return { meeting_id, title, status, ...time, meet_link: meet_link ?? undefined, ...own };
  });
  const lines = shown.map(
    ({ meeting_id, title, status, ...time }) => `${meeting_id} ${status} "${title}": ${sayWhen(time)}.`,
  );
  const count = total === 1 ? '1 meeting' : `${total} meetings`;
  const rest =
    next_cursor === undefined ? '' : ` Of them ${shown.length} are here; the next begin at cursor ${next_cursor}.`;
  return {
    data: { meetings: shown, total, next_cursor },
    text: total === 0 ? 'There are no such meetings.' : [`${count}.${rest}`, ...lines].join('\n'),
  };
}
