import type { OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from '../../../lib/client/cli/rounds.ts';

type Column = (typeof REQUIRED_COLUMNS | typeof OPTIONAL_COLUMNS)[number] | 'metadata.<key>';

/** Columns of a file of meetings, each with what it has. */
export const BATCH_COLUMNS: Record<Column, string> = {
  reference: 'required: your name for the meeting, another on each line',
  requester: 'required: the address of the first attendee, whose calendar has the event',
  attendee: 'required: the second',
  duration_minutes: 'else `--duration`, or 30',
  title: "else made from the attendees' names",
  context: 'one of [these](/docs/automatic#what-does-the-context-change)',
  priority: '0 to 9',
  'metadata.<key>': 'a pair of metadata',
};
