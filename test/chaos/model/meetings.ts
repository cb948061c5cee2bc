import { type Act, type Ask, OCCURRENCES, type ShownMeeting, type Trace } from '../trace.ts';
import { arePeople, declinesOf, groups, instant, isCancelledForDecline, type Told } from './told.ts';

export interface Meeting {
  id: string;
  platform: string;
  made: Told[];
  moves: Told[];
  ends: Told[];
  replacements: Told[];
}

export type Meetings = Map<string, Meeting>;

const DAY = 86_400_000;
/** Largest difference between the Worker's clock and everybody else's. */
export const SKEW_MS = 10_000;

export function meetingsIn(told: Told[]): Meetings {
  const meetings: Meetings = new Map();
  const of = (id: string, platform: string): Meeting => {
    const known = meetings.get(id) ?? { id, platform, made: [], moves: [], ends: [], replacements: [] };
    meetings.set(id, known);
    return known;
  };
  for (const event of told) {
    const { meeting_id: id = '', rescheduled_from: from } = event.data;
    if (event.type === 'meeting.scheduled') of(id, event.platform).made.push(event);
    if (event.type === 'meeting.scheduled' && from !== undefined) of(from, event.platform).replacements.push(event);
    if (event.type === 'meeting.updated') of(id, event.platform).moves.push(event);
    if (event.type === 'meeting.cancelled') of(id, event.platform).ends.push(event);
  }
  return meetings;
}

export const heirsOf = (id: string, meetings: Meetings): string[] => [
  id,
  ...(meetings.get(id)?.replacements ?? []).flatMap(({ data }) => heirsOf(data.meeting_id ?? '', meetings)),
];

export function eventOf(id: string, { calls }: Trace, meetings: Meetings): string | undefined {
  const made = calls.find(({ method, meetingId }) => method === 'POST' && meetingId === id);
  const from = meetings.get(id)?.made[0]?.data.rescheduled_from;
  return made?.eventId ?? (from === undefined ? undefined : eventOf(from, { calls } as Trace, meetings));
}

/**
 * Checks each meeting's history: created once, moved step by step, ended at most once, each for a reason that somebody
 * gave, and shown as its events say.
 */
export function strangeLives(trace: Trace, meetings: Meetings): string[] {
  const shown = new Map(trace.shown.meetings.map((meeting) => [meeting.meeting_id, meeting]));
  const untold = [...shown.keys()].filter((id) => !meetings.get(id)?.made.length);
  return [
    ...untold.map((id) => `${id} is shown and was never told of`),
    ...[...meetings.values()].flatMap((meeting) => {
      if (meeting.made.length === 0) return strangeLoss(meeting, shown.get(meeting.id), trace);
      return strangeLife(meeting, shown.get(meeting.id), trace, meetings);
    }),
  ];
}

/**
 * Checks the reports of meetings that never existed. Such a meeting is reported once, and only if nobody could find out
 * for a day whether it existed.
 */
function strangeLoss({ id, platform, moves, ends, replacements }: Meeting, shown: unknown, trace: Trace): string[] {
  const { asks } = trace;
  const { proposals: shownProposals } = trace.shown;
  const [end] = ends;
  if (shown !== undefined || end === undefined || moves.length + replacements.length > 0 || ends.length > 1)
    return [`${id} was never told as made, and yet of it [${[...moves, ...ends].map(({ type }) => type)}]`];
  const { cancelled_by: by, reason, start_time: start, attendees } = end.data;
  const isOffered = (proposalId: string | undefined) =>
    shownProposals.some(
      ({ proposal_id, times }) =>
        proposal_id === proposalId && times.some(({ start_time }) => instant(start_time) === instant(start)),
    );
  const isBooked = ({ operation, ...ask }: Ask) =>
    ['book', 'bookfree'].includes(operation)
      ? ask.start === instant(start)
      : ['accept', 'choose'].includes(operation) && isOffered(ask.proposalId);
  const cause = asks.find(
    (ask) =>
      ask.platform === platform &&
      isBooked(ask) &&
      arePeople(ask.attendees, attendees) &&
      ask.since + DAY <= end.written + SKEW_MS &&
      ask.answers.every(({ status, clock }) => status !== 200 || clock > end.written - SKEW_MS),
  );
  const isGivenUp = by === 'tandem' && reason === 'outcome_unknown' && cause !== undefined;
  return isGivenUp ? [] : [`${id} was called off by ${by}, ${reason}, and was never made`];
}

function strangeLife(meeting: Meeting, shown: ShownMeeting | undefined, trace: Trace, meetings: Meetings): string[] {
  const { id, made, ends, replacements, moves } = meeting;
  const [birth] = made;
  if (birth === undefined || made.length > 1) return [`${id} was told as made ${made.length} times`];
  if (ends.length + replacements.length > 1) return [`${id} ended ${ends.length + replacements.length} times`];
  if (shown === undefined) return [`${id} was told as made and is not shown`];
  const due = ends.length > 0 ? ['cancelled'] : replacements.length > 0 ? ['rescheduled'] : ['scheduled', 'updated'];
  const path = pathThrough(birth, moves);
  const times = timesOf(id, trace, meetings);
  return [
    ...(due.includes(shown.status) ? [] : [`${id} is shown as ${shown.status} and was told ${due}`]),
    ...(path === undefined ? [`the moves of ${id} are no path: ${moves.map((m) => JSON.stringify(m.data))}`] : []),
    ...(path === undefined || isShownAt(shown, path)
      ? []
      : [`${id} was told as ${JSON.stringify(path)}, not so shown`]),
    ...[birth.data.start_time, ...moves.map(({ data }) => data.changes.new_start_time)]
      .filter((time) => !times.has(instant(time)))
      .map((time) => `${id} was told to be at ${time}, where its event never was`),
    ...strangeBirth(meeting, birth, shown, trace, meetings),
    ...moves.flatMap((move) => strangeMove(meeting, move, trace, meetings)),
    ...strangeTellings(meeting, trace, meetings),
    ...ends.flatMap((end) => strangeEnd(meeting, end, trace, meetings)),
    ...(replacements.length === 0 || asksAbout(id, 'reschedule', trace).length > 0 || isMovedByProposal(meeting, trace)
      ? []
      : [`nobody asked to reschedule ${id}`]),
  ];
}

const isMovedByProposal = ({ id, replacements }: Meeting, { shown }: Trace) =>
  shown.proposals.some(
    ({ moves_meeting_id: moved, meeting_id: by }) =>
      moved === id && replacements.some(({ data }) => data.meeting_id === by),
  );

const asksAbout = (id: string, operation: Ask['operation'], { asks }: Trace) =>
  asks.filter((ask) => ask.operation === operation && ask.meetingId === id);

/**
 * Returns every time that a meeting's event had, by our calls and by people's changes. The occurrences of a series are
 * on the days from there.
 */
function timesOf(id: string, { calls, acts }: Trace, meetings: Meetings): Set<number | undefined> {
  const event = eventOf(id, { calls } as Trace, meetings);
  const isTheirs = ({ eventId }: { eventId?: string }) => eventId === event;
  const isSeries = acts.some((act) => isTheirs(act) && act.kind === 'series');
  const days = Array.from({ length: isSeries ? OCCURRENCES : 1 }, (_, day) => day * DAY);
  return new Set(
    [...calls, ...acts].filter(isTheirs).flatMap(({ start }) => days.map((later) => start && start + later)),
  );
}

/** Returns true if people moved the meeting's event to this start, or made the meeting an occurrence that is then. */
export const wasMovedTo = (id: string, start: number, trace: Trace, meetings: Meetings) => {
  const acts = actsOn(id, trace, meetings);
  const isMoved = acts.some((act) => act.kind === 'moved' && act.start === start);
  return isMoved || (acts.some(({ kind }) => kind === 'series') && timesOf(id, trace, meetings).has(start));
};

const actsOn = (id: string, trace: Trace, meetings: Meetings) =>
  trace.acts.filter(({ eventId }) => eventId !== undefined && eventId === eventOf(id, trace, meetings));

/** What people do in the calendar, keyed by the reason with which the platform is told of it. */
const DONE: Record<string, Act['kind'][]> = {
  attendee_removed: ['uninvited'],
  attendee_added: ['invited'],
  changed_in_calendar: ['edited'],
  meet_link_ready: ['edited'],
};

/** Checks that the platform is told of a change in the calendar no oftener than people made one of its kind. */
function strangeTellings({ id, moves }: Meeting, trace: Trace, meetings: Meetings): string[] {
  const acts = actsOn(id, trace, meetings);
  return groups(moves, ({ data }) => data.changes.reason ?? '').flatMap(([reason, told]) => {
    const done = acts.filter(({ kind }) => DONE[reason]?.includes(kind)).length;
    return DONE[reason] === undefined || told.length <= done
      ? []
      : [`${id} was told as ${reason} ${told.length} times, which people did ${done} times`];
  });
}

function strangeBirth(
  { id, platform }: Meeting,
  { data }: Told,
  { title }: ShownMeeting,
  trace: Trace,
  meetings: Meetings,
): string[] {
  const cause = trace.asks.find((ask) => ask.title === title && ask.platform === platform);
  if (cause === undefined) return [`nobody asked for ${id}, "${title}"`];
  if (data.rescheduled_from !== undefined) return [];
  const start = instant(data.start_time);
  const isThere = cause.start === undefined || cause.start === start || wasMovedTo(id, start, trace, meetings);
  return [
    ...(isThere ? [] : [`${id} was asked for at ${cause.start} and made at ${data.start_time}`]),
    ...(arePeople(cause.attendees, data.attendees) ? [] : [`${id} was asked for with ${cause.attendees}`]),
  ];
}

function strangeMove({ id, platform }: Meeting, { data }: Told, trace: Trace, meetings: Meetings): string[] {
  const { updated_by: by, new_start_time: to, reason, attendee } = data.changes;
  const start = instant(to);
  if (by === 'calendar' && reason === 'attendee_declined') {
    const isDeclined = declinesOf(eventOf(id, trace, meetings), trace, attendee).length > 0;
    return isDeclined ? [] : [`${id} was told as declined by ${attendee}, who did not`];
  }
  if (by === 'calendar' && DONE[reason ?? ''] !== undefined && to === data.changes.old_start_time) return [];
  const isAsked = by === platform && asksAbout(id, 'update', trace).some((ask) => ask.start === start);
  const isTheirs = by === 'calendar' && wasMovedTo(id, start, trace, meetings);
  return isAsked || isTheirs ? [] : [`nobody asked to move ${id} to ${to}, said to be by ${by}`];
}

function strangeEnd({ id, platform }: Meeting, { data, at }: Told, trace: Trace, meetings: Meetings): string[] {
  const { cancelled_by: by, reason } = data;
  const isAsked =
    by === platform &&
    (asksAbout(id, 'cancel', trace).length > 0 ||
      isCancelledLate(id, at, trace, meetings) ||
      isCancelledForDecline(platform, eventOf(id, trace, meetings), trace));
  const isTheirs =
    by === 'calendar' &&
    trace.acts.some(({ kind, eventId }) => kind === 'deleted' && eventId === eventOf(id, trace, meetings));
  return isAsked || isTheirs ? [] : [`nobody asked to cancel ${id}, said to be by ${by}: ${reason}`];
}

/**
 * Returns true if the meeting replaced one whose cancellation had been asked for earlier and had an unknown outcome. Both
 * meetings have the same event. Tandem undid the cancellation, but its deletion of the event may still come for a while.
 * If the event is gone when Tandem looks for it next, nobody can say whether that deletion came or a person deleted the
 * event. Tandem then says that the platform cancelled, and names the meeting to which the event belongs by now.
 */
function isCancelledLate(id: string, at: number, trace: Trace, meetings: Meetings): boolean {
  const from = meetings.get(id)?.made[0]?.data.rescheduled_from;
  if (from === undefined) return false;
  const isOpen = ({ first, broken, answers }: Ask) =>
    first < at &&
    (broken > 0 || answers.some(({ status }) => status >= 500)) &&
    answers.every(({ status }) => status !== 200);
  return asksAbout(from, 'cancel', trace).some(isOpen) || isCancelledLate(from, at, trace, meetings);
}

interface Place {
  start: string | undefined;
  attendees: string[];
}

const isShownAt = (shown: ShownMeeting, { start, attendees }: Place) =>
  instant(shown.start_time) === instant(start) && arePeople(shown.attendees, attendees);

/**
 * Returns the end of a path through moves in which each begins where another ended, and which uses all of them. Returns
 * undefined if there is no such path.
 */
function pathThrough(birth: Told, moves: Told[]): Place | undefined {
  const walk = (from: Place, left: Told[]): Place | undefined => {
    if (left.length === 0) return from;
    for (const move of left) {
      const { old_start_time, new_start_time } = move.data.changes;
      if (instant(old_start_time) !== instant(from.start)) continue;
      const next = { start: new_start_time, attendees: move.data.attendees };
      const end = walk(
        next,
        left.filter((other) => other !== move),
      );
      if (end !== undefined) return end;
    }
    return undefined;
  };
  return walk(
    { start: birth.data.start_time, attendees: birth.data.attendees },
    moves.toSorted((a, b) => a.written - b.written),
  );
}
