import { cancelMeeting, rescheduleMeeting } from './change-meeting.ts';
import { checkAvailability, checkOwnAvailability, explainTime } from './check-availability.ts';
import { listMeetings, listMeetingsOfCaller } from './list-meetings.ts';
import { proposeTimes } from './propose-times.ts';
import { getJob, scheduleAuto } from './schedule-auto.ts';
import { scheduleMeeting } from './schedule-meeting.ts';
import type { Tool, ToolCaller } from './tool.ts';
import { updatePreferences } from './update-preferences.ts';

/** Every tool in listing order. A tool for both kinds of API key has one entry for each kind. */
export const TOOLS: readonly Tool[] = [
  checkAvailability,
  checkOwnAvailability,
  explainTime,
  scheduleMeeting,
  scheduleAuto,
  getJob,
  proposeTimes,
  listMeetings,
  listMeetingsOfCaller,
  rescheduleMeeting,
  cancelMeeting,
  updatePreferences,
];

export const toolsFor = (kind: ToolCaller['kind']): readonly Tool[] => TOOLS.filter((tool) => tool.for === kind);
