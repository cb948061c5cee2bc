import type * as proposalsApi from '../../../schema/api/proposals.ts';
import type { ExamplesOf } from './example.ts';
import { BOTH, LAST_PAGE } from './people.ts';

const PROPOSAL_ID = 'prop_4kTzYc7RjNb7Wm2XkPqL';

const open = {
  proposal_id: PROPOSAL_ID,
  status: 'open' as const,
  attendees: BOTH,
  duration_minutes: 30,
  title: 'Contract questions',
  description: null,
  location: 'Google Meet',
  times: [
    {
      id: 'time_0vTzYc4RjNb7Wm2XkPqL',
      start_time: '2030-01-10T15:00:00Z',
      end_time: '2030-01-10T15:30:00Z',
      reason: 'Thursday, 10 January at 15:00 in London, 10:00 in New York.',
      status: 'held' as const,
    },
    {
      id: 'time_9aEehzCAsEXdQR2tiQl5',
      start_time: '2030-01-11T14:30:00Z',
      end_time: '2030-01-11T15:00:00Z',
      reason: 'Friday, 11 January at 14:30 in London, 9:30 in New York.',
      status: 'held' as const,
    },
  ],
  expires_at: '2030-01-09T09:03:12.417Z',
  on_expiry: 'cancel' as const,
  decline_reason: null,
  meeting_id: null,
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

const CHOSEN = 'time_Wm2XkPqL0vTzYc4RjNb7';

const chosen = {
  ...open,
  proposal_id: 'prop_hzCAsEXdQR2tiQl5aDEe',
  times: [
    {
      id: CHOSEN,
      start_time: '2030-01-17T15:00:00Z',
      end_time: '2030-01-17T15:30:00Z',
      reason: 'Thursday, 17 January at 15:00 in London, 10:00 in New York.',
      status: 'held' as const,
    },
  ],
};

const accepted = {
  ...chosen,
  status: 'accepted' as const,
  times: chosen.times.map((time) => ({ ...time, status: 'accepted' as const })),
  meeting_id: 'meet_v10x2tBAIW0ZwBlCA6b3',
  ended_at: '2030-01-07T09:03:25.106Z',
};

const REASON = 'None of these times works.';

const declined = {
  ...withdrawn,
  proposal_id: 'prop_XkPqL0vTzYc4RjNb7Wm2',
  status: 'declined' as const,
  decline_reason: REASON,
};

export const proposals: ExamplesOf<typeof proposalsApi> = {
  proposeTimes: {
    body: {
      attendees: BOTH,
      duration_minutes: 30,
      title: 'Contract questions',
      times: ['2030-01-10T15:00:00Z', '2030-01-11T14:30:00Z'],
      expires_in_hours: 48,
      metadata: { deal: 'D-1042' },
    },
    answer: open,
  },
  listProposals: {
    query: { status: 'open', email: 'bob@example.com' },
    answer: { proposals: [open], pagination: LAST_PAGE },
  },
  getProposal: { params: { proposal_id: PROPOSAL_ID }, answer: open },
  acceptProposal: { params: { proposal_id: chosen.proposal_id }, body: { time_id: CHOSEN }, answer: accepted },
  declineProposal: { params: { proposal_id: declined.proposal_id }, body: { reason: REASON }, answer: declined },
  withdrawProposal: { params: { proposal_id: PROPOSAL_ID }, answer: withdrawn },
};
