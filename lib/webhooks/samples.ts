import { isoUtc, toChosenSlot } from '../../schema/answers/meeting-answers.ts';
import type { WebhookEvents } from '../../schema/answers/render.ts';
import { toEventData } from '../../schema/answers/render.ts';
import { type EventType, isEventType } from '../../schema/api/webhook-events.ts';
import { DAY } from '../engine/time/dates.ts';

const USER = { email: 'ada@example.com', providerId: '108000000000000000000' };
const START = Date.UTC(2030, 0, 15, 10);
const END = Date.UTC(2030, 0, 15, 10, 30);
const ABOUT = { attendees: ['ada@example.com', 'bob@example.com'], metadata: { order: '1042' } };
const MEETING = { ...ABOUT, meetingId: 'meet_sample' };
const PROPOSAL = { ...ABOUT, proposalId: 'prop_sample', title: 'Intro call', durationMinutes: 30 };
const LINK = 'https://meet.google.com/abc-defg-hij';

const BOOKED = { start: START, end: END, location: 'Google Meet', meetLink: LINK };
const MOVED = { start: START, end: END, old: { start: START - DAY, end: END - DAY } };

const job = (at: number) => ({ ...ABOUT, jobId: 'sched_sample', acceptedAt: at - 1_200, endedAt: at });

type Samples = { [T in EventType]: (at: number, platformId: string) => WebhookEvents[T] };

export const SAMPLES: Samples = {
  'user.calendar.connected': (at) => ({
    ...USER,
    connectedAt: new Date(at).toISOString(),
    timeZone: 'Europe/London',
    workingHours: { start: 8, end: 18 },
  }),
  'user.calendar.disconnected': (at) => ({ ...USER, at, reason: 'user_requested' }),
  'user.calendar.refresh_failed': (at) => ({
    ...USER,
    at,
    reason: 'user_revoked_or_expired',
    possibleCauses: ['The person removed access in their Google account.'],
    oauthUrl: 'https://example.com/v1/auth/calendar/authorize?platform_key=pk_live_sample&user_email=ada%40example.com',
    suggestedUserMessage: 'Please connect your calendar again.',
  }),
  'meeting.scheduling.completed': (at) => ({
    ...MEETING,
    ...job(at),
    providerEventId: 'sampleevent',
    meetLink: LINK,
    chosenSlot: toChosenSlot({
      startTime: isoUtc(START),
      endTime: isoUtc(END),
      score: 0.92,
      comfort: 0.97,
      matchQuality: 'excellent',
    }),
    reasoning: 'This is the best time for both people.',
  }),
  'meeting.scheduling.failed': (at) => ({
    ...job(at),
    code: 'NO_AVAILABILITY',
    message: 'The two people have no free time in common.',
    suggestions: ['Try a shorter meeting.'],
  }),
  'meeting.scheduled': (at, platformId) => ({ ...MEETING, ...BOOKED, at, platformId }),
  'meeting.updated': (at, platformId) => ({ ...MEETING, ...MOVED, at, by: platformId, reason: 'meeting_rescheduled' }),
  'meeting.cancelled': (at, platformId) => ({
    ...MEETING,
    at,
    by: platformId,
    reason: 'cancelled_by_platform',
    start: START,
    calendarEvent: 'deleted',
  }),
  'batch.completed': (at) => ({
    batchId: 'batch_sample',
    status: 'completed',
    counts: { booked: 118, unplaced: 1, failed: 1, cancelled: 0 },
    acceptedAt: at - 240_000,
    endedAt: at,
  }),
  'proposal.accepted': (at) => ({ ...PROPOSAL, ...BOOKED, at, meetingId: MEETING.meetingId }),
  'proposal.declined': (at) => ({ ...PROPOSAL, at, reason: 'None of these times works.' }),
  'proposal.countered': (at) => ({
    ...PROPOSAL,
    at,
    reason: 'I can do Thursday after 3.',
    newProposalId: 'prop_sample_answer',
  }),
  'proposal.expired': (at) => ({ ...PROPOSAL, at }),
  'proposal.withdrawn': (at) => ({ ...PROPOSAL, at }),
  'platform.usage_warning': (at) => ({
    used: 800,
    limit: 1_000,
    at,
    plan: 'pro',
    message: 'You have used 800 of the 1000 meetings of your plan for this month.',
  }),
  'platform.usage_limit_reached': (at) => ({
    used: 1_000,
    limit: 1_000,
    at,
    plan: 'pro',
    message:
      'You have used all 1000 meetings of your plan for this month. New meetings are refused until next month or until you upgrade your plan.',
  }),
  'platform.security_changed': (at) => ({ change: 'key.replaced', at, by: 'session', auditId: 'audit_sample' }),
};

export function sampleData(type: string, at: number, platformId: string): Record<string, unknown> {
  if (!isEventType(type))
    return { message: 'This is a test event. It shows that webhooks from Tandem reach your endpoint.' };
  return toSample(type, at, platformId);
}

export const toSample = <T extends EventType>(type: T, at: number, platformId: string) =>
  toEventData(type, SAMPLES[type](at, platformId));
