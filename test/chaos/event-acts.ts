import { randomUUID } from 'node:crypto';
import { DAY } from '../../lib/engine/time/dates.ts';
import { EDITED, rootOf } from '../support/checks/rows.ts';
import { world } from '../support/worlds/world.ts';
import { HALF_HOUR, iso, type Random, type Scene } from './asking.ts';
import { homesOf, OCCURRENCES, type Recorder } from './trace.ts';

type GoogleEvent = ReturnType<typeof world.google.events>[number];
type Change = Omit<Parameters<typeof world.google.patchEvent>[0], 'email' | 'calendar' | 'eventId'>;
type Note = Omit<Parameters<Recorder['note']>[0], 'email' | 'eventId'>;

/** Event of one of our meetings, on the calendar of the person who organizes it. */
interface Own {
  email: string;
  calendar: string;
  event: GoogleEvent;
}

interface Doing {
  change: Change;
  note: Note;
  /** Id of the event to change, if it is not the event's own. */
  eventId?: string | undefined;
}

const isOurs = ({ extendedProperties }: GoogleEvent) => Boolean(extendedProperties?.private?.tandem_meeting_id);

/** Returns the events of our meetings that a person may change, because they organize them. */
const ownEvents = ({ recorder }: Scene, email: string): Own[] =>
  homesOf(recorder.trace, email).flatMap((calendar) =>
    world.google
      .events(calendar)
      .filter((event) => event.organizer?.email === calendar && isOurs(event))
      .map((event) => ({ email, calendar, event })),
  );

function halfHour({ day }: Scene, random: Random) {
  const start = day + random.below(48) * HALF_HOUR;
  return { start, end: start + HALF_HOUR };
}

const moved = (start: number, end: number): Doing => ({
  change: { start: iso(start), end: iso(end) },
  note: { kind: 'moved', start, end },
});

/**
 * Returns the id under which a person changes an event. If the event is a series, they may change one occurrence, one and
 * all that follow, or the whole series.
 */
function chosenPart({ event }: Own, random: Random): Pick<Doing, 'eventId'> & { following?: boolean } {
  const start = event.start?.dateTime ?? event.start?.date;
  if (!event.recurrence || !start || random.below(3) === 0) return {};
  const at = iso(Date.parse(start) + random.below(OCCURRENCES) * DAY);
  const stamp = event.start?.date ? at.slice(0, 10) : at.replace('.000', '');
  return { eventId: `${event.id}_${stamp.replaceAll(/[-:]/g, '')}`, following: random.below(2) === 0 };
}

const partly = (own: Own, random: Random, { change, note }: Doing): Doing => {
  const { eventId, ...part } = chosenPart(own, random);
  return { change: { ...change, ...part }, note, eventId };
};

/** The changes that people make to events they organize, keyed by kind. Each returns undefined where it cannot be made. */
const CHANGES = {
  moved(own: Own, random: Random, scene: Scene) {
    const { start, end } = halfHour(scene, random);
    return partly(own, random, moved(start, end));
  },
  deleted: (own: Own, random: Random) => partly(own, random, { change: { deleted: true }, note: { kind: 'deleted' } }),
  allDay(_own: Own, random: Random, scene: Scene) {
    const start = scene.day + random.below(3) * DAY;
    const [from, until] = [iso(start), iso(start + DAY)].map((time) => time.slice(0, 10));
    return { ...moved(start, start + DAY), change: { start: from, end: until } };
  },
  noLength(_own: Own, random: Random, scene: Scene) {
    const { start } = halfHour(scene, random);
    return moved(start, start);
  },
  edited({ event }: Own, random: Random): Doing {
    const edit = randomUUID().slice(0, 8);
    const change = random.pick<Change>([
      { summary: `${event.summary?.split(EDITED)[0]}${EDITED}${edit}` },
      { location: `Room ${edit}` },
      { conference: !event.hangoutLink },
      { conference: true },
    ]);
    return { change, note: { kind: 'edited' } };
  },
  invited({ email, event }: Own, _random: Random, { recorder }: Scene): Doing | undefined {
    const owner = { email };
    const isGuest = (one: { email?: string | null }) => one.email !== email && one.email !== event.organizer?.email;
    const guests = (event.attendees ?? []).flatMap((one) => (isGuest(one) && one.email ? [one.email] : []));
    const [guest] = guests;
    if (guest !== undefined) return { change: { attendees: [owner] }, note: { kind: 'uninvited', attendee: guest } };
    const removed = recorder.trace.acts.findLast(
      ({ kind, eventId }) => kind === 'uninvited' && eventId === rootOf(event.id ?? ''),
    )?.attendee;
    return removed === undefined
      ? undefined
      : { change: { attendees: [owner, { email: removed }] }, note: { kind: 'invited', attendee: removed } };
  },
  series: ({ event }: Own): Doing | undefined =>
    event.recurrence || event.recurringEventId
      ? undefined
      : { change: { recurrence: [`RRULE:FREQ=DAILY;COUNT=${OCCURRENCES}`] }, note: { kind: 'series' } },
  relocated({ email, calendar, event }: Own, _random: Random, scene: Scene): Doing | undefined {
    if (event.recurringEventId) return undefined;
    const other = homesOf(scene.recorder.trace, email).find((home) => home !== calendar);
    return { change: { moveTo: other ?? addCalendar(scene, email) }, note: { kind: 'relocated' } };
  },
} satisfies Record<string, (own: Own, random: Random, scene: Scene) => Doing | undefined>;

export type EventChange = keyof typeof CHANGES;

const isDeleted = ({ event }: Own) => event.status === 'cancelled';

/** Has somebody change an event of our meetings, at random. Returns false if nobody has one that can be changed so. */
export const changeAny = (scene: Scene, random: Random, kind: EventChange): boolean =>
  random.shuffle(scene.people).some((person) => changeOwn(scene, random, kind, person));

/** Has one person change an event of our meetings. Returns false if they have none that can be changed so. */
export function changeOwn(
  scene: Scene,
  random: Random,
  kind: EventChange,
  { email } = random.pick(scene.people),
): boolean {
  const events = ownEvents(scene, email).filter((own) => !isDeleted(own));
  if (events.length === 0) return false;
  const own = random.pick(events);
  const doing: Doing | undefined = CHANGES[kind](own, random, scene);
  if (doing === undefined) return false;
  return make(scene, own, doing);
}

/** Has somebody restore an event of our meetings that they deleted. Returns false if there is none. */
export function restoreOwn(scene: Scene, random: Random): boolean {
  const deleted = scene.recorder.trace.acts.flatMap(({ kind, eventId }) => (kind === 'deleted' ? [eventId] : []));
  const events = scene.people
    .flatMap(({ email }) => ownEvents(scene, email))
    .filter((own) => isDeleted(own) && deleted.includes(own.event.id ?? ''));
  if (events.length === 0) return false;
  return make(scene, random.pick(events), { change: { restored: true }, note: { kind: 'restored' } });
}

function make({ recorder }: Scene, { email, calendar, event }: Own, { change, note, eventId }: Doing): boolean {
  const id = event.id ?? '';
  world.google.patchEvent({ email, calendar, eventId: eventId ?? id, ...change });
  recorder.note({ ...note, email, eventId: rootOf(id) });
  return true;
}

function addCalendar({ recorder }: Scene, email: string): string {
  const calendar = world.google.addCalendar({ owner: email, summary: 'More' });
  recorder.note({ kind: 'added', email, calendar });
  return calendar;
}

export function addBusyCalendar(scene: Scene, random: Random): void {
  const { email } = random.pick(scene.people);
  const { start, end } = halfHour(scene, random);
  world.google.addEvent({ email, calendar: addCalendar(scene, email), start: iso(start), end: iso(end) });
  scene.recorder.note({ kind: 'filled', email, start, end });
}
