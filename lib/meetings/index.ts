/** The public interface of `meetings`. All other modules import only from here. */

export { answerOnce, runOnce } from './answer-once.ts';
export { rankTimes } from './best-time.ts';
export { cancelMeeting } from './cancel.ts';
export { type MeetingLife, readMeetingLife } from './dashboard-life.ts';
export { answerDeclines } from './declined.ts';
export { acceptJob } from './jobs/accept.ts';
export { cancelJob } from './jobs/cancel.ts';
export { readJob, sweepJobs } from './jobs/job.ts';
export { runJob } from './jobs/run.ts';
export { acceptProposal } from './proposals/accept.ts';
export { bookExpired } from './proposals/book-first.ts';
export { declineProposal, expireProposals, withdrawProposal } from './proposals/end.ts';
export { proposeTimes } from './proposals/propose.ts';
export { listPlatformProposals, readProposal } from './proposals/read.ts';
export { listMeetingsOf, listOwnMeetings, listPlatformMeetings, placeOf, readMeeting } from './read.ts';
export { receivePush } from './receive-push.ts';
export { reconcileOverdue } from './reconcile.ts';
export { previewReschedule, rescheduleMeeting } from './reschedule.ts';
export { scheduleMeeting } from './schedule.ts';
export { assertStart } from './start-time.ts';
export { sweepCalendars, syncCalendars } from './sweep-calendars.ts';
export { updateMeeting } from './update.ts';
