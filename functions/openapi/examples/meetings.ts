import type * as changesApi from '../../../schema/api/meeting-changes.ts';
import type * as meetingsApi from '../../../schema/api/meetings.ts';
import type { ExamplesOf } from './example.ts';
import { BOTH, DEMO, INTRO, LAST_PAGE, MOVED } from './people.ts';
import { open } from './proposals.ts';

/** Answer to a reschedule that offers other times for the meeting instead of moving it. */
const OFFERED = {
  ...open,
  proposal_id: 'prop_7Wm2XkPqL4kTzYc7RjNb',
  requester_name: null,
  duration_minutes: 45,
  title: INTRO.title,
  description: INTRO.description,
  times: [
    {
      id: 'time_EXdQR2tiQl5aDEehzCAs',
      start_time: '2030-01-10T15:15:00Z',
      end_time: '2030-01-10T16:00:00Z',
      reason: 'Thursday, 10 January at 15:15 in London, 10:15 in New York.',
      status: 'held' as const,
    },
    {
      id: 'time_zCAsEXdQR2tiQl5aDEeh',
      start_time: '2030-01-11T15:15:00Z',
      end_time: '2030-01-11T16:00:00Z',
      reason: 'Friday, 11 January at 15:15 in London, 10:15 in New York.',
      status: 'held' as const,
    },
    {
      id: 'time_aDEehzCAsEXdQR2tiQl5',
      start_time: '2030-01-10T16:00:00Z',
      end_time: '2030-01-10T16:45:00Z',
      reason: 'Thursday, 10 January at 16:00 in London, 11:00 in New York.',
      status: 'held' as const,
    },
  ],
  url: 'https://api.tandem.example/p/hJ4dGf7PaUe1oIiYtB3KvXEq8NwT5yRk2ZbVx0LmHc9s',
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

export const meetings: ExamplesOf<typeof meetingsApi & typeof changesApi> = {
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
