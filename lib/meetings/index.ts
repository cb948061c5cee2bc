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
export { followMeeting, receivePush, sweepCalendars, syncCalendar, syncCalendars } from './follow/follow-calendar.ts';
export {
  acceptJob,
  cancelJob,
  listDashboardJobs,
  readAsked,
  readDashboardJob,
  readJob,
  type ShownJob,
  sweepJobs,
} from './jobs/job.ts';
export { runJob } from './jobs/run.ts';
export { acceptProposal, dueFirstTimes } from './proposals/accept.ts';
export { askForMove, checkCalendar, counterProposal } from './proposals/counter.ts';
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
export { previewMove, previewProposal, proposeMove, proposeReschedule } from './proposals/propose-move.ts';
export {
  listPlatformProposals,
  type ProposalLife,
  readProposal,
  readProposalLife,
} from './proposals/read.ts';
export type { CounterOutcome } from './proposals/wished-times.ts';
export { answerOnce, runOnce } from './protocol/answer-once.ts';
export { liveSnapshot } from './protocol/claim.ts';
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
export { previewReschedule, rescheduleMeeting } from './verbs/reschedule.ts';
export { scheduleMeeting } from './verbs/schedule.ts';
export { assertStart } from './verbs/still-free.ts';
export { updateMeeting } from './verbs/update.ts';
