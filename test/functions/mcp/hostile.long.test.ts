import { expect, test } from 'vitest';
import { TOOLS } from '../../../lib/tools/tools.ts';
import { leakIn } from '../../support/fuzz/judge.ts';
import { message } from '../../support/people/agents.ts';
import { booked } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const meeting = await booked();
const { platform, ada, bob } = meeting;
const { api_key } = await world.connect(platform, ada.email);

/** One valid argument of each kind, by name. */
const RIGHT: Record<string, unknown> = {
  attendees: [ada.email, bob.email],
  start_time: new Date(meeting.start + 86_400_000).toISOString(),
  duration_minutes: 30,
  title: 'Intro',
  meeting_id: meeting.id,
  job_id: 'sched_nothing',
  requested_by: ada.email,
  reason: 'Too early',
  email: ada.email,
  times: [new Date(meeting.start + 86_400_000).toISOString()],
};

const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
const HOSTILE: unknown[] = [
  null,
  0,
  -1,
  1e308,
  '',
  ' ',
  "'; drop table meetings; --",
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{constructor}}',
  '9999-12-31T23:59:59+23:59',
  '0000-00-00T00:00:00Z',
  '2027-02-30T10:00',
  '2027-13-01T10:00',
  '99999-01-01T10:00',
  '2027-03-28T02:30',
  'x'.repeat(5_000),
  [],
  {},
  [null, null],
  { start: null, end: [] },
  { __proto__: { a: 1 } },
  { constructor: { prototype: 1 } },
  deep(200),
  true,
];

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s: no argument causes an internal error',
  async (name, tool) => {
    const client = createClient(world.baseUrl, tool.for === 'user' ? api_key : platform.secret_key);
    const fields = [...Object.keys(tool.input.shape), '__proto__', 'constructor'];
    const wanted = Object.fromEntries(Object.entries(RIGHT).filter(([field]) => fields.includes(field)));
    let asked = 0;
    for (const field of fields)
      for (const value of HOSTILE) {
        // A user may send sixty requests a minute.
        if (tool.for === 'user' && asked++ % 50 === 0) await world.advance(61_000);
        const args = { ...wanted, ...('preview' in tool.input.shape ? { preview: true } : {}), [field]: value };
        const { headers, body } = message('tools/call', { name, arguments: args });
        const answer = await client.send('POST', '/mcp', body, { headers });
        const shown = JSON.stringify([field, value]).slice(0, 100);
        expect([shown, answer.status]).toEqual([shown, 200]);
        expect([shown, /internal_error|Something went wrong/.test(answer.text)]).toEqual([shown, false]);
        expect([shown, leakIn(answer.text.replaceAll(/"confirm_token":"[^"]+"|confirm_token: \S+/g, ''))]).toEqual([
          shown,
          undefined,
        ]);
      }
  },
);

test.each([
  ['arguments that are none', { name: 'check_availability', arguments: 'attendees' }],
  ['a name that is none', { name: 7, arguments: {} }],
  ['no name', {}],
  ['a name of all objects', { name: '__proto__', arguments: {} }],
])('%s are refused', async (_what, params) => {
  const { headers, body } = message('tools/call', params);
  const client = createClient(world.baseUrl, platform.secret_key);
  const answer = await client.send('POST', '/mcp', body, {
    headers: { ...headers, 'mcp-name': String((params as { name?: unknown }).name ?? '') },
  });
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).toContain('"error"');
});
