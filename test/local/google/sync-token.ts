/** Where a listing ended: which calendar, at which version, within which time bounds. */
export interface SyncPoint {
  email: string;
  epoch: number;
  version: number;
  timeMin: string | null;
  timeMax: string | null;
}

export function writeSyncToken(point: SyncPoint): string {
  return Buffer.from(JSON.stringify(point)).toString('base64url');
}

export function readSyncToken(token: string): SyncPoint | undefined {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as SyncPoint;
  } catch {
    return undefined;
  }
}
