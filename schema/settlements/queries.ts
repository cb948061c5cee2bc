import { and, eq } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { settlements } from './table.ts';

/** The work is done. */
export const deleteSettlement = (
  db: Db,
  { meetingId, kind }: { meetingId: string; kind: 'book' | 'link' | 'move' | 'cancel' | 'recheck' },
) => db.delete(settlements).where(and(eq(settlements.meetingId, meetingId), eq(settlements.kind, kind)));
