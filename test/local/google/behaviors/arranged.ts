import { type ArrangedBehavior, EVENTS, type Hand, insert, refusal } from './behavior.ts';

interface List {
  items: { id: string }[];
  nextSyncToken: string;
}

const list = async (hand: Hand, query: Record<string, string>) =>
  (await hand.call('GET', EVENTS, { query })).body as unknown as List;

/** Behaviors that no client can bring about at will, so that only the stand-in shows them. */
export const ARRANGED: ArrangedBehavior[] = [
  {
    title: 'an expired sync token is 410',
    evidence: 'documented (guide "Synchronize resources efficiently"); the reason may be missing, so go by the status',
    expected: [410, 'fullSyncRequired'],
    async play(hand, google, email) {
      const { nextSyncToken } = await list(hand, {});
      google.expireSyncTokens(email);
      return refusal(await hand.call('GET', EVENTS, { query: { syncToken: nextSyncToken } }));
    },
  },
  {
    title: 'a full list after an expired token brings events that were never pushed',
    evidence: 'documented (guide "Push notifications": they are not 100% reliable)',
    expected: true,
    async play(hand, google, email) {
      await list(hand, {});
      google.settings.pushes = 'lost';
      const { body } = await insert(hand);
      google.settings.pushes = 'sent';
      google.expireSyncTokens(email);
      return (await list(hand, {})).items.some(({ id }) => id === body.id);
    },
  },
  {
    title: 'a calendar without Meet refuses a conference with 400 "Invalid conference type value."',
    evidence: 'seen by others (issues of scheduling products)',
    expected: [400, 'Invalid conference type value.'],
    async play(hand, google, email) {
      google.noMeet(email);
      const createRequest = { requestId: hand.id(), conferenceSolutionKey: { type: 'hangoutsMeet' } };
      const { status, body } = await insert(
        hand,
        { conferenceData: { createRequest } },
        { conferenceDataVersion: '1' },
      );
      return [status, (body.error as { message?: string } | undefined)?.message];
    },
  },
  {
    title: "a channel's `expiration` is text in epoch milliseconds, and stopping the channel is 204",
    evidence: 'documented (`channels`, field `expiration`; guide "Push notifications")',
    expected: ['string', 204],
    async play(hand) {
      const channel = { id: hand.id(), type: 'web_hook', address: 'https://tandem.example.com/push' };
      const { body } = await hand.call('POST', `${EVENTS}/watch`, { body: channel });
      const { id, resourceId, expiration } = body;
      const { status } = await hand.call('POST', '/channels/stop', { body: { id, resourceId } });
      return [typeof expiration, status];
    },
  },
];
