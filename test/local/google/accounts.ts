import { createHash } from 'node:crypto';
import { type Calendar, type ListEntry, type Person, ROLES, type Role, type Store } from './store.ts';

interface NewPerson {
  email: string;
  timezone: string;
  name?: string | undefined;
  /** Permissions that the person unticks on each consent page from now on, such as `calendar.settings.readonly`. */
  unticked?: string[] | undefined;
}

/** Adds an account with its primary calendar. For a known account, sets what is given. */
export function addPerson(store: Store, { email, timezone, name, unticked }: NewPerson): void {
  const key = email.toLowerCase();
  const known = store.people.get(key);
  if (known) {
    known.timezone = timezone;
    known.name = name ?? known.name;
    known.unticked = unticked ?? known.unticked;
    findCalendar(store, key).timezone = timezone;
    return;
  }
  store.people.set(key, {
    email: key,
    name: name ?? nameOf(key),
    timezone,
    sub: `1${BigInt(`0x${digest(key).slice(0, 16)}`)
      .toString()
      .padStart(20, '0')}`,
    listed: new Map([[key, {}]]),
    unticked,
  });
  setCalendar(store, { id: key, owner: key, summary: key, timezone });
}

export function findPerson(store: Store, email: string): Person {
  const person = store.people.get(email.toLowerCase());
  if (!person) throw new Error(`No Google account ${email}`);
  return person;
}

export function removePerson(store: Store, email: string): void {
  const key = findPerson(store, email).email;
  for (const { id, owner } of store.calendars.values()) if (owner === key) removeCalendar(store, id);
  store.people.delete(key);
}

export interface NewCalendar {
  id?: string | undefined;
  owner: string;
  summary: string;
  timezone?: string | undefined;
}

export function addCalendar(store: Store, input: NewCalendar): string {
  const owner = findPerson(store, input.owner);
  const made = digest(`${owner.email} ${store.calendars.size} ${input.summary}`).slice(0, 26);
  const id = input.id ?? `c_${made}@group.calendar.google.com`;
  setCalendar(store, { id, owner: owner.email, summary: input.summary, timezone: input.timezone ?? owner.timezone });
  owner.listed.set(id, {});
  return id;
}

export function findCalendar(store: Store, id: string): Calendar {
  const calendar = store.calendars.get(id.toLowerCase());
  if (!calendar) throw new Error(`No calendar ${id}`);
  return calendar;
}

export function removeCalendar(store: Store, id: string): void {
  const calendar = findCalendar(store, id);
  store.calendars.delete(calendar.id);
  store.events.delete(calendar.id);
  store.frozen.delete(calendar.id);
  for (const { listed } of store.people.values()) listed.delete(calendar.id);
}

export interface Share {
  calendar: string;
  reader: string;
  role?: Role | undefined;
  /** Returns true if the reader has the calendar in their list. */
  isListed?: boolean | undefined;
}

export function share(store: Store, { calendar, reader, role = 'freeBusyReader', isListed = false }: Share): void {
  const key = reader.toLowerCase();
  findCalendar(store, calendar).roles.set(key, role);
  if (isListed) findPerson(store, key).listed.set(findCalendar(store, calendar).id, {});
}

export function unshare(store: Store, { calendar, reader }: { calendar: string; reader: string }): void {
  const { id, owner, roles } = findCalendar(store, calendar);
  const key = reader.toLowerCase();
  if (key === owner) throw new Error(`${calendar} belongs to ${reader}`);
  roles.delete(key);
  store.people.get(key)?.listed.delete(id);
}

export interface Relisted extends ListEntry {
  calendar: string;
  reader: string;
}

export function relist(store: Store, { calendar, reader, ...entry }: Relisted): void {
  const { listed } = findPerson(store, reader);
  const { id } = findCalendar(store, calendar);
  if (!listed.has(id)) throw new Error(`${calendar} is not in the list of ${reader}`);
  listed.set(id, { ...listed.get(id), ...entry });
}

export function roleOf(store: Store, calendarId: string, email: string): Role | undefined {
  return store.calendars.get(calendarId)?.roles.get(email);
}

export const allows = (role: Role, needed: Role) => ROLES.indexOf(role) >= ROLES.indexOf(needed);

function setCalendar(store: Store, calendar: Pick<Calendar, 'id' | 'owner' | 'summary' | 'timezone'>): void {
  store.calendars.set(calendar.id, {
    ...calendar,
    canMeet: true,
    roles: new Map([[calendar.owner, 'owner']]),
    syncEpoch: 0,
  });
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

function nameOf(email: string): string {
  const [local = email] = email.split('@');
  return local
    .split(/[._-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ');
}
