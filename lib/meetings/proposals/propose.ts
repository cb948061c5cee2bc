import { isoUtc } from '../../../schema/api/meeting-answers.ts';
import type { Metadata } from '../../../schema/api/metadata.ts';
import { touchConnections } from '../../../schema/connections/last-used-queries.ts';
import type { IdempotentRequest } from '../../../schema/idempotency/queries.ts';
import { keepFromErasure } from '../../../schema/people/queries.ts';
import { insertProposal } from '../../../schema/proposals/insert-queries.ts';
import type { OnExpiry } from '../../../schema/proposals/table.ts';
import { refusalOf, retrySerializationFailure } from '../../../schema/refusals.ts';
import { readPerson } from '../../availability/read-people.ts';
import { findAlternatives, loadBoth } from '../../availability/search.ts';
import { NOTICE } from '../../engine/rules/candidates.ts';
import { type Objection, personObjections } from '../../engine/rules/objections.ts';
import { HOUR, MINUTE } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { timesUnavailable, tooManyProposals } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import { loadBothConnected } from '../../person/load.ts';
import { sayOfferedTime } from '../../words/slots.ts';
import { inBytes, keepAtOnce, toProposedAnswer } from '../kept-answer.ts';
import { limitsAt } from '../limits.ts';
import { timeWarnings } from '../protected-time.ts';

/** The most open proposals on one platform (schema/DECISIONS.md, "Proposals"). */
const MOST_OPEN = { ofRequester: 20, ofPair: 5 };

/** Rules that a time given by the caller must keep. The other rules only make warnings, because the caller has chosen. */
const FIRM: Objection['rule'][] = ['busy', 'held', 'focus_block', 'day_limit'];

interface Input {
  attendees: [string, string];
  /** Starts of the times to offer, in epoch milliseconds. */
  starts: number[];
  durationMinutes: number;
  title: string;
  description: string | null;
  location: string;
  metadata: Metadata;
  expiresInHours: number;
  onExpiry: OnExpiry;
  idempotency: IdempotentRequest | undefined;
  /** Warnings about the request that its API answer contains. */
  warnings: string[];
}

/**
 * Makes a proposal: reads both calendars, then holds the given times for both people in one batch. Serves
 * `POST /v1/proposals`. Throws `user_not_found`, `calendar_*`, `unknown_time_zone`, `slot_unavailable` with
 * alternatives, `too_many_proposals`, and Postgres' refusal of an idempotency key that was claimed before.
 */
export async function proposeTimes(ctx: Ctx, platform: Platform, input: Input) {
  const { attendees, durationMinutes, starts, expiresInHours, onExpiry, idempotency } = input;
  const spans = starts.map((start) => ({ start, end: start + durationMinutes * MINUTE }));
  const loaded = await loadBoth(ctx, platform, { attendees, isFresh: true, until: Math.max(...starts) });
  const { people } = loaded;
  const taken = await takenOf(ctx, loaded, spans);
  if (taken.length > 0) throw await unavailable(ctx, platform, input, taken);
  const now = ctx.clock.now();
  const { title, description, location, metadata } = input;
  const id = ctx.ids.id(ID_PREFIX.proposal);
  const about = { id, durationMinutes, title, description, location, metadata };
  const latest = onExpiry === 'cancel' ? Math.max(...starts) : Math.min(...starts) - NOTICE;
  const expiresAt = Math.min(now + expiresInHours * HOUR, latest);
  const times = spans.map((span) => ({
    ...span,
    id: ctx.ids.id(ID_PREFIX.time),
    reason: sayOfferedTime(span.start, people),
  }));
  const answer = toProposedAnswer(
    {
      ...about,
      status: 'open',
      requesterEmail: attendees[0],
      otherEmail: attendees[1],
      times: times.map((time) => ({ ...time, status: 'held' })),
      expiresAt,
      meetingId: null,
      reason: null,
      onExpiry,
      createdAt: now,
      endedAt: null,
    },
    [...input.warnings, ...spans.flatMap((span) => timeWarnings(people, span))],
  );
  try {
    await retrySerializationFailure(() =>
      ctx.db.batch([
        keepFromErasure(ctx.db, { emails: attendees }),
        ...(idempotency ? [keepAtOnce(ctx, idempotency, inBytes(201, answer), id)] : []),
        ...insertProposal(ctx.db, {
          ...about,
          platformId: platform.id,
          attendees,
          times: times.map((time) => ({ ...time, limits: limitsAt(people, time.start) })),
          expiresAt,
          onExpiry,
          most: MOST_OPEN,
          now,
        }),
        touchConnections(ctx.db, { platformId: platform.id, emails: attendees, now }),
      ]),
    );
    return answer;
  } catch (error) {
    switch (refusalOf(error)) {
      case 'slot_taken':
      case 'day_full':
        throw await unavailable(ctx, platform, input, []);
      case 'too_many_open':
        throw tooManyProposals(MOST_OPEN);
      case 'not_connected':
        await loadBothConnected(ctx, platform, attendees);
        throw error;
      case 'duplicate_key':
      case 'not_in_hand':
      case 'quota_exhausted':
      case 'credential_ended':
      case 'serialization_failure':
      case undefined:
        throw error;
    }
  }
}

/** Returns the times at which one of the two people is busy, keeps the time free, or takes no more meetings that day. */
async function takenOf(
  ctx: Ctx,
  { people, live, snapshots }: Awaited<ReturnType<typeof loadBoth>>,
  spans: Interval[],
): Promise<Interval[]> {
  const hull = {
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
  };
  const read = await Promise.all(people.map((person) => readPerson(ctx, person, hull, { live, snapshots })));
  return spans.filter((span) =>
    read.some(({ person }) => personObjections(person, span).some(({ rule }) => FIRM.includes(rule))),
  );
}

/** Returns the refusal of times that are not free, with free times around the first of them. */
async function unavailable(ctx: Ctx, platform: Platform, input: Input, taken: Interval[]) {
  const { attendees, durationMinutes, starts } = input;
  const [start = Math.min(...starts)] = taken.map((time) => time.start);
  const alternatives = await findAlternatives(ctx, platform, { attendees, durationMinutes, start });
  return timesUnavailable(
    taken.map((time) => isoUtc(time.start)),
    alternatives,
  );
}
