import { badRequest, fullSyncRequired } from './errors.ts';

const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
];
const NO_SYNC_AFTER = ['iCalUID', 'orderBy', 'privateExtendedProperty', 'q', 'sharedExtendedProperty', 'updatedMin'];

/** Calendar and options of a list. A sync token works only for the same calendar and options. */
export interface Reading {
  calendarId: string;
  epoch: number;
  reader: string;
  role: string;
  /** Other options of the list: instances or series, and the kinds of events. */
  shape: string;
}

/** Version at which a list ended. The list's time bounds do not carry over. */
export interface SyncPoint extends Reading {
  version: number;
}

/**
 * Returns the version that a query's sync token stands for. Answers 400 if other parameters contradict it, and 410 if
 * it is too old or belongs to another list.
 */
export function syncPoint(query: URLSearchParams, reading: Reading): SyncPoint | undefined {
  const token = query.get('syncToken');
  if (token === null) return undefined;
  if (NOT_WITH_SYNC_TOKEN.some((name) => query.has(name)) || query.get('showDeleted') === 'false') {
    throw badRequest('Sync token cannot be used together with the other parameters of this request.');
  }
  const point = parse(token);
  if (!point || !isSameReading(point, reading)) throw fullSyncRequired();
  if (point.shape !== reading.shape) {
    throw badRequest('Sync token must be used with the parameters of the initial request.');
  }
  return point;
}

/** Returns the sync token with which a list ends, or none if a token could not continue the list. */
export function nextSyncToken(query: URLSearchParams, reading: Reading, version: number): string | undefined {
  if (NO_SYNC_AFTER.some((name) => query.has(name))) return undefined;
  const point: SyncPoint = { ...reading, version };
  return Buffer.from(JSON.stringify(point)).toString('base64url');
}

export function isSameReading(one: Reading, other: Reading): boolean {
  const key = ({ calendarId, epoch, reader, role }: Reading) => JSON.stringify([calendarId, epoch, reader, role]);
  return key(one) === key(other);
}

function parse(token: string): SyncPoint | undefined {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as SyncPoint;
  } catch {
    return undefined;
  }
}
