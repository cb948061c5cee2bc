import { Hono } from 'hono';
import { listMeetingsOf, listPlatformMeetings, readMeeting } from '../../lib/meetings/index.ts';
import * as api from '../../schema/api/meetings.ts';
import { toPagination } from '../../schema/api/paging.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const meetings = new Hono<AppEnv>();

serve(meetings, api.listMeetings, async ({ ctx, platform, query: { cursor: after, ...filter } }) => {
  const { meetings, next } = await listPlatformMeetings(ctx, platform, { after, ...filter });
  return { meetings, pagination: toPagination(next) };
});

serve(meetings, api.getMeeting, ({ ctx, platform, params }) => readMeeting(ctx, platform, params.meeting_id));

serve(meetings, api.listUserMeetings, async ({ ctx, platform, params: { email }, query }) => {
  const { cursor: after, ...filter } = query;
  const { next, ...list } = await listMeetingsOf(ctx, platform, { email, after, ...filter });
  return { ...list, pagination: toPagination(next) };
});
