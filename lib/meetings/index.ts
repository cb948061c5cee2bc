/** Public interface of the folder `lib/meetings`. Code outside the folder imports only from here. */

export {
  acceptBatch,
  type BatchPage,
  cancelBatch,
  commitBatch,
  listPlatformBatches,
  readBatch,
  sweepBatches,
} from './batches/batch.ts';
export { runBatch } from './batches/run.ts';
export { dueDeclines } from './follow/declined.ts';
export { followMeeting } from './follow/follow-calendar.ts';
export { receivePush, sweepCalendars, syncCalendar, syncCalendars } from './follow/sync-calendar.ts';
export { acceptJob, readAsked } from './jobs/accept.ts';
export { cancelJob } from './jobs/cancel.ts';
export { listDashboardJobs, readDashboardJob, readJob, type ShownJob, sweepJobs } from './jobs/job.ts';
export { runJob } from './jobs/run.ts';
export { acceptProposal } from './proposals/accept.ts';
export { dueFirstTimes } from './proposals/book-first.ts';
export { type Checked, checkCalendar } from './proposals/check-calendar.ts';
export { askForMove, counterProposal } from './proposals/counter.ts';
export { declineProposal, expireProposals, tellEndedProposals, withdrawProposal } from './proposals/end.ts';
export {
  cancelOwnMeeting,
  endOwnProposal,
  heldTimesOf,
  type MyMeeting,
  proposeOwnMove,
  readMyMeetings,
  type Unmoved,
} from './proposals/own.ts';
export { cancelAtPage, openPage, type ProposalPage } from './proposals/page.ts';
export { proposeTimes } from './proposals/propose.ts';
export { previewMove, previewProposal, proposeMove } from './proposals/propose-move.ts';
export { proposeReschedule } from './proposals/propose-reschedule.ts';
export {
  listDashboardProposals,
  listPlatformProposals,
  type ProposalLife,
  readProposal,
  readProposalLife,
} from './proposals/read.ts';
export type { CounterOutcome } from './proposals/wished-times.ts';
export { answerOnce, runOnce } from './protocol/answer-once.ts';
export { liveSnapshot } from './protocol/changeable.ts';
export { reconcileOverdue, WAIT_MS } from './protocol/reconcile.ts';
export {
  listMeetingsOf,
  listOwnMeetings,
  listPlatformMeetings,
  type MeetingLife,
  placeOf,
  readMeeting,
  readMeetingLife,
} from './read/read.ts';
export { rankTimes } from './verbs/best-time.ts';
export { cancelMeeting } from './verbs/cancel.ts';
export { assertStart } from './verbs/limits.ts';
export { previewReschedule, rescheduleMeeting } from './verbs/reschedule.ts';
export { scheduleMeeting } from './verbs/schedule.ts';
export { updateMeeting } from './verbs/update.ts';
