import { randomInt } from 'node:crypto';
import type { calendar_v3 } from '@googleapis/calendar';
import { findCalendar } from './accounts.ts';
import { invalid } from './errors.ts';
import { type EventResource, type Store, type StoredEvent, touch } from './store.ts';

type ConferenceData = calendar_v3.Schema$ConferenceData;

/**
 * Returns an event's conference after a write. A client that does not speak version 1, or repeats the request id,
 * leaves it unchanged. Null removes it, and a new createRequest replaces it.
 */
export function nextConference(
  store: Store,
  event: StoredEvent,
  asked: ConferenceData | null | undefined,
  version: number,
): void {
  if (version < 1 || asked === undefined) return;
  if (asked === null) {
    delete event.fields.conferenceData;
    delete event.fields.hangoutLink;
    return;
  }
  const request = asked.createRequest;
  const known = event.fields.conferenceData?.createRequest?.requestId;
  if (!request || (known && request.requestId === known)) return;
  if (!request.requestId) throw invalid('Invalid conference request id.');
  const type = request.conferenceSolutionKey?.type ?? 'hangoutsMeet';
  if (type !== 'hangoutsMeet' || !findCalendar(store, event.organizer).canMeet) {
    throw invalid('Invalid conference type value.');
  }
  event.conferenceRequestedAt = store.clock.now();
  event.conferenceReads = 0;
  event.fields.conferenceData = {
    createRequest: { requestId: request.requestId, conferenceSolutionKey: { type }, status: { statusCode: 'pending' } },
  };
  delete event.fields.hangoutLink;
  settleConference(store, event);
}

/** Gives a pending conference its link once the world's settings allow it. `isRead` counts this call as a read. */
export function settleConference(store: Store, event: StoredEvent, { isRead = false } = {}): void {
  const request = event.fields.conferenceData?.createRequest;
  if (request?.status?.statusCode !== 'pending') return;
  const { gets, ms } = store.settings.meetPending;
  const isDue = event.conferenceReads >= gets && store.clock.now() - event.conferenceRequestedAt >= ms;
  if (isRead) event.conferenceReads += 1;
  if (!isDue) return;
  Object.assign(event.fields, meet(request));
  if (event.version > 0) touch(store, event);
}

function meet(request: calendar_v3.Schema$CreateConferenceRequest): EventResource {
  const uri = `https://meet.google.com/${[3, 4, 3].map((length) => letters(length)).join('-')}`;
  return {
    hangoutLink: uri,
    conferenceData: {
      createRequest: { ...request, status: { statusCode: 'success' } },
      entryPoints: [{ entryPointType: 'video', uri }],
    },
  };
}

const letters = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + randomInt(26))).join('');
