import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { isoUtc } from '../../../schema/answers/meeting-answers.ts';
import type * as meetingsApi from '../../../schema/api/meetings.ts';
import type * as proposalEndsApi from '../../../schema/api/proposal-ends.ts';
import type * as proposalsApi from '../../../schema/api/proposals.ts';
import { BOTH, DEMO, type ExamplesOf, INTRO, LAST_PAGE, MOVED } from './people.ts';

const PROPOSAL_ID = 'prop_4kTzYc7RjNb7Wm2XkPqL';

const page = (token: string) => `https://api.tandem.example/p/${token}`;

const held = (minutes: number, times: [id: string, start: string, reason: string][]) =>
  times.map(([id, start, reason]) => ({
    id: `time_${id}`,
    start_time: `${start}:00Z`,
    end_time: isoUtc(Date.parse(`${start}Z`) + minutes * MINUTE),
    reason,
    status: 'held' as const,
  }));

const open = {
  proposal_id: PROPOSAL_ID,
  status: 'open' as const,
  attendees: BOTH,
  requester_name: 'Ada Adams',
  duration_minutes: 30,
  title: 'Contract questions',
  description: null,
  location: 'Google Meet',
  times: held(30, [
    ['0vTzYc4RjNb7Wm2XkPqL', '2030-01-10T15:00', 'Thursday, 10 January at 15:00 in London, 10:00 in New York.'],
    ['9aEehzCAsEXdQR2tiQl5', '2030-01-11T14:30', 'Friday, 11 January at 14:30 in London, 9:30 in New York.'],
  ]),
  url: page('Zk3v9TtqYB2mWc7LxR0aHs5nQe8uJd1KfPgXyV4oIiM'),
  expires_at: '2030-01-09T09:03:12.417Z',
  on_expiry: 'cancel' as const,
  decline_reason: null,
  counter_of: null,
  meeting_id: null,
  moves_meeting_id: null,
  metadata: { deal: 'D-1042' },
  created_at: '2030-01-07T09:03:12.417Z',
  ended_at: null,
};

const withdrawn = {
  ...open,
  status: 'withdrawn' as const,
  times: open.times.map((time) => ({ ...time, status: 'released' as const })),
  ended_at: '2030-01-07T09:03:20.882Z',
};

const GUEST = { email: 'grace@example.org', name: 'Grace Hopper', time_zone: 'America/New_York' };

/** Example of a proposal to a guest, a person who is not connected to the platform. The caller chose its one time. */
const chosen = {
  ...open,
  requester_name: null,
  attendees: ['ada@example.com', GUEST.email],
  proposal_id: 'prop_hzCAsEXdQR2tiQl5aDEe',
  url: page('q8NwT5yRk2ZbVx0LmHc9sJ4dGf7PaUe1oIiYtB3KvXE'),
  times: held(30, [['Wm2XkPqL0vTzYc4RjNb7', '2030-01-17T15:00', 'Thursday, 17 January at 15:00 in London.']]),
};

const PICKED = {
  ...open,
  proposal_id: 'prop_DEeXkPqL0vTzYc4RjNb7',
  attendees: ['ada@example.com', GUEST.email],
  attendee_details: [
    { email: 'ada@example.com', connected: true },
    { email: GUEST.email, connected: false, time_zone: GUEST.time_zone },
  ],
  title: 'Mentoring session',
  times: held(30, [
    ['l5aDEehzCAsEXdQR2tiQ', '2030-01-08T14:45', 'Tuesday, 8 January at 14:45 in London, 9:45 in New York.'],
    ['tiQl5aDEehzCAsEXdQR2', '2030-01-09T14:30', 'Wednesday, 9 January at 14:30 in London, 9:30 in New York.'],
    ['QR2tiQl5aDEehzCAsEXd', '2030-01-10T14:30', 'Thursday, 10 January at 14:30 in London, 9:30 in New York.'],
  ]),
  url: page('mX4vGfP7KuWyN3tB9hQz1rLsJc6dTa0oEiY2R8xUvMk'),
  metadata: {},
};

const accepted = {
  ...chosen,
  attendee_details: [
    { email: 'ada@example.com', connected: true },
    { ...GUEST, connected: false },
  ],
  status: 'accepted' as const,
  times: chosen.times.map((time) => ({ ...time, status: 'accepted' as const })),
  meeting_id: 'meet_v10x2tBAIW0ZwBlCA6b3',
  ended_at: '2030-01-07T09:03:25.106Z',
};

const REASON = 'None of these times works.';

const declined = {
  ...withdrawn,
  requester_name: null,
  proposal_id: 'prop_XkPqL0vTzYc4RjNb7Wm2',
  url: page('A1b6Xw0QhYk9TnRz3VcLs8mEjF5uGd2PoKi7JtHyWvU'),
  status: 'declined' as const,
  decline_reason: REASON,
};

export const proposals: ExamplesOf<typeof proposalsApi & typeof proposalEndsApi> = {
  proposeTimes: {
    named: { name: 'given_times', summary: 'Times that you give' },
    body: {
      attendees: BOTH,
      requester_name: 'Ada Adams',
      duration_minutes: 30,
      title: 'Contract questions',
      times: ['2030-01-10T15:00:00Z', '2030-01-11T14:30:00Z'],
      expires_in_hours: 48,
      metadata: { deal: 'D-1042' },
    },
    answer: open,
    others: [
      {
        name: 'picked_times',
        summary: 'Times that Tandem picks for somebody who is not connected',
        body: {
          attendees: PICKED.attendees,
          requester_name: 'Ada Adams',
          guest_time_zone: GUEST.time_zone,
          duration_minutes: 30,
          title: 'Mentoring session',
          count: 3,
        },
        answer: PICKED,
      },
    ],
  },
  listProposals: {
    query: { status: 'open', email: 'bob@example.com' },
    answer: { proposals: [open], pagination: LAST_PAGE },
  },
  getProposal: { params: { proposal_id: PROPOSAL_ID }, answer: open },
  acceptProposal: {
    params: { proposal_id: chosen.proposal_id },
    body: { time_id: 'time_Wm2XkPqL0vTzYc4RjNb7', guest_name: GUEST.name, guest_time_zone: GUEST.time_zone },
    answer: accepted,
  },
  declineProposal: { params: { proposal_id: declined.proposal_id }, body: { reason: REASON }, answer: declined },
  withdrawProposal: { params: { proposal_id: PROPOSAL_ID }, answer: withdrawn },
};

const OFFERED = {
  ...open,
  proposal_id: 'prop_7Wm2XkPqL4kTzYc7RjNb',
  requester_name: null,
  duration_minutes: 45,
  title: INTRO.title,
  description: INTRO.description,
  times: held(45, [
    ['EXdQR2tiQl5aDEehzCAs', '2030-01-10T15:15', 'Thursday, 10 January at 15:15 in London, 10:15 in New York.'],
    ['aDEehzCAsEXdQR2tiQl5', '2030-01-10T16:00', 'Thursday, 10 January at 16:00 in London, 11:00 in New York.'],
    ['zCAsEXdQR2tiQl5aDEeh', '2030-01-11T15:15', 'Friday, 11 January at 15:15 in London, 10:15 in New York.'],
  ]),
  url: page('hJ4dGf7PaUe1oIiYtB3KvXEq8NwT5yRk2ZbVx0LmHc9s'),
  moves_meeting_id: INTRO.meeting_id,
  metadata: MOVED.metadata,
  reasoning: 'The reason: on Thursday, as Bob asked.',
  learned_from: 'The reason teaches nothing for later meetings, so no weight was changed.',
  understood: [
    {
      quote: 'Could we do this later in the week',
      meaning: 'From Thursday, 10 January to Friday, 11 January',
      kind: 'wanted' as const,
    },
  ],
  not_understood: [],
};

export const meetings: ExamplesOf<typeof meetingsApi> = {
  getMeeting: { params: { meeting_id: INTRO.meeting_id }, answer: INTRO },
  updateMeeting: {
    params: { meeting_id: 'meet_Du2tUB9D8AAldLrjMX0K' },
    body: {
      start_time: '2030-01-09T15:15:00Z',
      end_time: '2030-01-09T16:00:00Z',
      reason: 'Bob needs a little longer',
      metadata: { stage: 'pilot' },
    },
    answer: {
      success: true,
      meeting_id: 'meet_Du2tUB9D8AAldLrjMX0K',
      start_time: '2030-01-09T15:15:00Z',
      end_time: '2030-01-09T16:00:00Z',
      attendees: BOTH,
      metadata: { deal: 'D-1042', stage: 'pilot' },
      status: 'updated',
    },
  },
  rescheduleMeeting: {
    named: { name: 'move', summary: 'Move the meeting now' },
    params: { meeting_id: 'meet_Du2tUB9D8AAldLrjMX0K' },
    body: { requested_by: 'bob@example.com', reason: 'Thursday instead, and mornings are too early for me' },
    answer: {
      success: true,
      new_meeting_id: 'meet_6ElPr3zRlcwqj3wA3jCQ',
      new_meeting_time: '2030-01-10T16:15:00Z',
      reasoning:
        'The meeting is now on Thursday, 10 January at 16:15 in London, 11:15 in New York: at a later hour, as Bob asked.',
      learned_from: '"too early" lowered the weight of mornings (time_of_day_preference.morning) from 1 to 0.8.',
      understood: [
        { quote: 'Thursday instead', meaning: 'On Thursday, 10 January', kind: 'wanted' },
        { quote: 'mornings are too early', meaning: 'Later in the day', kind: 'move' },
        { quote: 'mornings are too early', meaning: 'Rather not before 12:00', kind: 'standing' },
      ],
      not_understood: [],
    },
    others: [
      {
        name: 'propose',
        summary: 'Offer other times, and move the meeting only if one is accepted',
        body: { requested_by: 'bob@example.com', reason: 'Could we do this later in the week?', propose: true },
        answer: OFFERED,
      },
    ],
  },
  cancelMeeting: {
    params: { meeting_id: 'meet_6ElPr3zRlcwqj3wA3jCQ' },
    answer: { success: true, meeting_id: 'meet_6ElPr3zRlcwqj3wA3jCQ', status: 'cancelled', calendar_event: 'deleted' },
  },
  listUserMeetings: {
    params: { email: 'ada@example.com' },
    query: { from: '2030-01-08T00:00:00Z', to: '2030-02-01T00:00:00Z', status: 'scheduled' },
    answer: { email: 'ada@example.com', meetings: [DEMO, MOVED], total: 2, pagination: LAST_PAGE },
  },
  listMeetings: {
    query: { limit: '50', from: '2030-01-08T00:00:00Z', status: 'scheduled', attendee: 'bob@example.com' },
    answer: { meetings: [DEMO, MOVED], pagination: LAST_PAGE },
  },
};
