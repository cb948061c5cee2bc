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

/** Which calendar a listing is of, as whom and how it is read; a token holds only for the same again. */
export interface Reading {
  calendarId: string;
  epoch: number;
  reader: string;
  role: string;
  /** What else the question was: instances or series, and of which kinds. */
  shape: string;
}

/** Where a listing ended: at which version. The time bounds it had do not carry over. */
export interface SyncPoint extends Reading {
  version: number;
}

/** Where the token in a query stands: 400 beside what it cannot stand beside, 410 when it is too old or of others. */
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

/** The token that a listing ends with; none after a listing that a token could not continue. */
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
