import { Hono } from 'hono';
import { readMeeting } from '../../lib/meetings/read-meeting.ts';
import { type AppEnv, platformOf } from '../env.ts';

export const meetings = new Hono<AppEnv>();

const PATH = '/v1/meetings/:meeting_id';

meetings.get(PATH, async (c) => c.json(await readMeeting(c.var.ctx, platformOf(c), c.req.param('meeting_id'))));
