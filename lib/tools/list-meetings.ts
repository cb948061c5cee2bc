import * as z from 'zod';
import { minutes as whole } from '../../schema/api/fields.ts';
import { isSpan, listUserMeetings, type Meeting, NO_SPAN } from '../../schema/api/meetings.ts';
import { toPagination } from '../../schema/api/paging.ts';
import { knownZone } from '../engine/time/zone.ts';
import { listMeetingsOf, listOwnMeetings } from '../meetings/index.ts';
import { readPreferences } from '../people/preferences.ts';
import { say } from '../words/patterns.ts';
import { oneLine } from '../words/title.ts';
import { toolOf } from './tool.ts';
import { time as clock, sayWhen, when, whenOf, type Zoned, zonesOf } from './when.ts';

const { from, to, status, cursor } = listUserMeetings.query.shape;
const shown = { from: clock.optional(), to: clock.optional() };
const filter = { from, to, status, limit: whole(1, 50).default(20), cursor };

const words = {
  name: 'list_meetings',
  title: "List a person's meetings",
  hints: { openWorld: false },
  shown,
  said: { cursor: 'The next_cursor of the previous page' },
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

export const listMeetings = toolOf({
  ...words,
  description: "Returns the person's meetings on this platform, starting at or after `from` and before `to`.",
  for: 'platform',
  input: z.object({ email: listUserMeetings.params.shape.email, ...filter }).refine(isSpan, NO_SPAN),
  async run({ ctx, caller: { platform }, input: { cursor: after, ...asked } }) {
    const { meetings, total, next } = await listMeetingsOf(ctx, platform, { ...asked, after });
    const people = await zonesOf(ctx, platform, [...new Set(meetings.flatMap(({ attendees }) => attendees))]);
    return tell({ meetings, total, next, people, hasMetadata: true });
  },
});

/** Leaves out the other attendee's local time, because a user key gives no access to it. */
export const listMeetingsOfCaller = toolOf({
  ...words,
  title: 'List your meetings',
  description: 'Returns your meetings on all platforms that start at or after `from` and before `to`, earliest first.',
  for: 'user',
  input: z.object(filter).refine(isSpan, NO_SPAN),
  async run({ ctx, caller, input: { cursor: after, ...asked } }) {
    const [{ meetings, total, next }, { email, preferences }] = await Promise.all([
      listOwnMeetings(ctx, { ...asked, userId: caller.userId, after }),
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
  /** True if the answer contains the metadata that a platform keeps on its meetings. Only the platform may see it. */
  hasMetadata?: boolean;
}

function tell({ meetings, total, next, people, hasMetadata = false }: Page) {
  const next_cursor = toPagination(next).next_cursor ?? undefined;
  const shown = meetings.map(({ meeting_id, title, status, start_time, end_time, attendees, meet_link, metadata }) => {
    const both = attendees.map((email) => people.find((one) => one.email === email) ?? { email, timeZone: undefined });
    const time = whenOf({ start_time, end_time }, both);
    const own = hasMetadata && Object.keys(metadata).length > 0 ? { metadata } : {};
    return { meeting_id, title: oneLine(title), status, ...time, meet_link: meet_link ?? undefined, ...own };
  });
  const lines = shown.map(({ meeting_id, title, status, ...time }) =>
    say('agent.meeting', { meeting: meeting_id, status, title, when: sayWhen(time) }),
  );
  const count = say('agent.count', { count: total === 1 ? '1 meeting' : `${total} meetings` });
  const rest =
    next_cursor === undefined
      ? []
      : [say('agent.page', { count: shown.length }), say('agent.next_page', { cursor: next_cursor })];
  return {
    data: { meetings: shown, total, next_cursor },
    text: total === 0 ? say('agent.no_meetings') : [[count, ...rest].join(' '), ...lines].join('\n'),
  };
}
