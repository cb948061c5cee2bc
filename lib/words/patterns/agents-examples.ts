import type { AGENTS } from './agents.ts';
import type { ExamplesOf } from './blanks.ts';

const WHEN =
  'Tuesday 2026-12-08, 10:00 to 10:30 for ada@example.com (Europe/Berlin, +01:00); in UTC 2026-12-08T09:00:00Z to 2026-12-08T09:30:00Z';

const WHO = 'ada@example.com and bob@example.com';
const CLOCKS = 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London';

/** An example for each sentence pattern in agents.ts that has blanks. */
export const AGENTS_EXAMPLES = {
  'agent.time': {
    weekday: 'Tuesday',
    date: '2026-12-08',
    from: '10:00',
    to: '10:30',
    email: 'ada@example.com',
    zone: 'Europe/Berlin',
    offset: '+01:00',
  },
  'agent.utc': { from: '2026-12-08T09:00:00Z', to: '2026-12-08T09:30:00Z' },
  'agent.offsets': { before: '-04:00', after: '-05:00' },
  'agent.one_of': {
    number: '1',
    when: WHEN,
    reason: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London: mid-morning for both.',
  },
  'agent.best': { first: '2026-12-08', last: '2026-12-21' },
  'agent.own_times': { first: '2026-12-08', last: '2026-12-21' },
  'agent.own_none': { minutes: '30', first: '2026-12-08', last: '2026-12-21' },
  'agent.own_time': { when: WHEN },
  'agent.explained': { when: WHEN, explanation: 'It suits both.' },
  'agent.confirm': { tool: 'schedule_auto', until: '2026-12-07T09:10:00Z', token: 'eyJ…' },
  'agent.would_book': { title: 'Talk', when: WHEN },
  'agent.conflicts': { conflicts: 'For Ada, 9:00 to 9:30 in Berlin on Tuesday, 8 December is not free.' },
  'agent.booked': { title: 'Talk', meeting: 'mtg_1', when: WHEN },
  'agent.same': { meeting: 'mtg_1', title: 'Talk', when: WHEN },
  'agent.has_meeting': { email: 'ada@example.com', meeting: 'mtg_1', when: WHEN },
  'agent.link': { link: 'https://meet.google.com/abc-defg-hij' },
  'agent.would_cancel': { title: 'Talk', meeting: 'mtg_1', when: WHEN },
  'agent.cancelled': { title: 'Talk', meeting: 'mtg_1', when: WHEN },
  'agent.would_move': { meeting: 'mtg_1', when: WHEN },
  'agent.moved': { when: WHEN },
  'agent.new_id': { meeting: 'mtg_2' },
  'ask.book': { title: 'Talk', who: WHO, when: CLOCKS, length: '30 minutes' },
  'ask.move': { who: WHO, when: CLOCKS },
  'ask.cancel': { title: 'Talk', who: WHO, when: CLOCKS },
  'ask.offer': { who: 'bob@example.com', title: 'Talk', hours: '48' },
  'ask.choice': {
    number: '1',
    reason: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London: mid-morning for both.',
  },
  'agent.would_offer': { email: 'bob@example.com', title: 'Talk', hours: '48' },
  'agent.offered': { email: 'bob@example.com', title: 'Talk', proposal: 'prop_1' },
  'agent.offered_until': { until: '2026-12-07T09:10:00Z' },
  'agent.offer_link': { email: 'bob@example.com', url: 'https://tandem.example/p/vT3…' },
  'agent.ignored': { value: '["sessionId"]' },
  'agent.count': { count: '12 meetings' },
  'agent.page': { count: '10' },
  'agent.next_page': { cursor: 'b2Zmc2V0' },
  'agent.meeting': { meeting: 'mtg_1', status: 'scheduled', title: 'Talk', when: WHEN },
  'agent.would_change': { changes: 'buffer_minutes from 0 to 15' },
  'agent.change': { name: 'buffer_minutes', before: '0', after: '15' },
  'agent.saved': { changes: 'buffer_minutes is 15' },
  'agent.value': { name: 'buffer_minutes', value: '15' },
  'agent.no_zone': { field: 'start_time', clock: '10:00' },
  'agent.send': { times: '2026-12-08T10:00:00Z for UTC' },
  'agent.for_clock': { time: '2026-12-08T10:00:00+01:00', email: 'ada@example.com', zone: 'Europe/Berlin' },
  'agent.for_utc': { time: '2026-12-08T10:00:00Z' },
  'job.accepted': { job: 'job_1' },
  'job.wait': { seconds: '5' },
  'job.running': { job: 'job_1' },
  'job.failed': { job: 'job_1', code: 'INTERNAL_ERROR' },
  'job.failed_unbooked': { job: 'job_1', code: 'NO_AVAILABILITY' },
  'job.booked': { job: 'job_1', meeting: 'mtg_1', when: WHEN },
} satisfies ExamplesOf<typeof AGENTS>;
