import type { OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from '../../../lib/client/cli/rounds.ts';

type Column = (typeof REQUIRED_COLUMNS | typeof OPTIONAL_COLUMNS)[number] | 'metadata.<key>';

/** Columns of a file of meetings, each with what it has. */
export const BATCH_COLUMNS: Record<Column, string> = {
  reference: 'Required. Your name for the meeting, another one on each line.',
  requester: "Required. The first attendee's address; the event is created on their calendar.",
  attendee: "Required. The second attendee's address.",
  duration_minutes: 'Minutes. Without it, the option `--duration`, or else 30.',
  title: "Title of the event. Without it, one made from the attendees' names.",
  context: 'One of the thirteen contexts, such as `interview`.',
  priority: '0 to 9. Higher ones get their times first.',
  'metadata.<key>': 'Stored in the metadata of the meeting under this key.',
};
