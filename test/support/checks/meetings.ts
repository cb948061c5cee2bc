import type { TestPlatform } from '../people/factories.ts';
import { isLive, type MeetingRow, meetingsOf, rootOf, rows } from './rows.ts';

interface HoldRow {
  meeting_id: string;
  email: string;
  event_id: string;
  start: Date;
  end: Date;
  exclusive: boolean;
  conflicts: number;
}

/**
 * Checks that each live meeting has exactly one hold at its time for each person whose time it takes, and that no other
 * meeting has any. `freed` names an event and a person who had their time back at some time ("event address"): something
 * else may have taken it since, so they may have a hold or not.
 */
export async function holdViolations(
  platforms: TestPlatform[],
  { freed = new Set() }: { freed?: Set<string> } = {},
): Promise<string[]> {
  const meetings = await meetingsOf(platforms);
  const holds = await holdsOf(platforms);
  return meetings.flatMap((meeting) => {
    const own = holds.filter(({ meeting_id }) => meeting_id === meeting.id);
    if (!isLive(meeting))
      return own.length === 0 ? [] : [`${meeting.status} meeting ${meeting.id} still has ${own.length} holds`];
    const mayLack = (email: string) =>
      freed.has(`${rootOf(meeting.provider_event_id)} ${email}`) && !own.some((hold) => hold.email === email);
    const shown = own.map(({ email, start, end, event_id }) => `${email} ${spanOf(start, end)} ${event_id}`).sort();
    const due = meeting.holders
      .filter((email) => !mayLack(email))
      .map((email) => `${email} ${spanOf(meeting.starts_at, meeting.ends_at)} ${meeting.provider_event_id}`)
      .sort();
    return shown.join() === due.join() ? [] : [`meeting ${meeting.id} holds [${shown}] instead of [${due}]`];
  });
}

/** Largest difference between two times that the Worker wrote, because its clock was up to 4 s ahead or behind. */
const CLOCKS_DIFFER_MS = 8_000;

/**
 * Checks that exactly the held times of open proposals are held, and that no other time of a proposal is. They are held
 * for the requester, and for another person who was connected when the proposal was made and still is. Somebody who
 * consented again since may have a hold or not.
 *
 * `returned` names people who were disconnected at some time. If the Worker's clock was ahead when it made a proposal,
 * a return soon afterwards bears an earlier time than the proposal. So a return that bears a time just before the
 * proposal's may have come after it.
 */
export async function proposalHoldViolations(
  platforms: TestPlatform[],
  { returned = new Set() }: { returned?: Set<string> } = {},
): Promise<string[]> {
  const found = await rows<{ what: string }>(
    `select 'time ' || t.id || ' of ' || r.status || ' ' || r.id || ' is ' || t.status || ' and has ' || h.holds || ' holds' as what
    from proposals r join proposal_times t on t.proposal_id = r.id cross join lateral (
      select count(*)::int as holds, count(*) filter (where h.user_id = r.requester_id) as own from holds h
      where h.proposal_id = r.id and h.during = tstzrange(t.starts_at, t.ends_at)) h
    left join connections c on c.user_id = r.other_id and c.platform_id = r.platform_id and c.disconnected_at is null
    where r.platform_id = any($1) and case
      when r.status <> 'open' or t.status <> 'held' then h.holds <> 0
      when h.own <> 1 then true
      when c.user_id is null then h.holds <> 1
      else h.holds <> 2 and c.connected_at <= r.created_at
        - case when r.other_email = any($2::text[]) then interval '${CLOCKS_DIFFER_MS} ms' else interval '0' end end
    union all select 'time ' || t.id || ' of ' || r.status || ' ' || r.id || ' is ' || t.status
    from proposals r join proposal_times t on t.proposal_id = r.id
    where r.platform_id = any($1) and (r.status <> 'open' and t.status = 'held' or r.status <> 'accepted' and t.status = 'accepted')`,
    platforms,
    [`{${[...returned].join()}}`],
  );
  return found.map(({ what }) => what);
}

/**
 * Checks that live meetings of a person overlap only if a caller chose so. An exclusive meeting must have existed
 * before one that overlaps it.
 */
export async function overlapViolations(platforms: TestPlatform[]): Promise<string[]> {
  const live = (await meetingsOf(platforms)).filter(isLive);
  const holds = await holdsOf(platforms);
  const found: string[] = [];
  for (const [at, one] of live.entries())
    for (const other of live.slice(at + 1)) {
      const shared = one.holders.filter((email) => other.holders.includes(email));
      if (shared.length === 0 || one.starts_at >= other.ends_at || other.starts_at >= one.ends_at) continue;
      if (one.provider_event_id === other.provider_event_id)
        found.push(`${one.id} and ${other.id} are live on one event`);
      if (one.exclusive && other.exclusive) found.push(`exclusive ${one.id} and ${other.id} overlap for ${shared}`);
      for (const [exclusive, free] of [
        [one, other],
        [other, one],
      ] as const)
        if (exclusive.exclusive && !free.exclusive && wasThereFirst(free, exclusive, holds))
          found.push(`exclusive ${exclusive.id} was made over ${free.id} of ${shared}`);
    }
  for (const { meeting_id, email, exclusive, conflicts } of holds)
    if (exclusive && conflicts !== 0) found.push(`exclusive ${meeting_id} holds ${email} over ${conflicts} others`);
  return found;
}

/** SQL condition for the meeting (`m`) that its event belongs to now. */
export const IS_CURRENT = "m.status <> 'rescheduled' and (m.status <> 'pending' or m.rescheduled_from is null)";

/**
 * SQL condition for a verification (`p`, of `m`) that waits until the organizer connects with the platform again,
 * possibly forever.
 */
export const WAITS_FOR_PERSON = `
  p.kind = 'verify' and not (m.status = 'cancelled' and p.intent = '{}') and not exists (
    select 1 from connections c join calendar_accounts a on a.user_id = c.user_id
    where c.user_id = m.organizer_id and c.platform_id = m.platform_id and c.disconnected_at is null
      and a.status = 'connected')`;

/**
 * SQL condition for a decline (`e`) that the platform knows of, and that waits until an attendee connects again: the
 * other times cannot be searched before. Tandem tries until the meeting begins, which may be weeks away.
 */
export const WAITS_FOR_ATTENDEE = `
  not e.untold and exists (
    select 1 from meetings m join meeting_people p on p.meeting_id = m.id
    where m.provider_event_id = e.event_id and ${IS_CURRENT} and not p.is_guest and not exists (
      select 1 from connections c join calendar_accounts a on a.user_id = c.user_id
      where c.user_id = p.user_id and c.platform_id = m.platform_id and c.disconnected_at is null
        and a.status = 'connected'))`;

/**
 * Finds unfinished work: pending meetings and operations, leases, running jobs, started keys and pending deliveries.
 */
export async function leftovers(platforms: TestPlatform[]): Promise<string[]> {
  const found = await rows<{ what: string }>(
    `select 'meeting ' || id || ' is pending' as what from meetings where platform_id = any($1) and status = 'pending'
    union all select 'meeting ' || id || ' is leased by ' || owner from meetings
      where platform_id = any($1) and lease_until is not null
    union all select 'pending ' || p.kind || ' of ' || m.status || ' ' || m.id || ' is left' from pending_operations p
      join meetings m on m.provider_event_id = p.event_id where m.platform_id = any($1) and ${IS_CURRENT} and not (${WAITS_FOR_PERSON})
    union all select 'a decline of event ' || e.event_id || ' is not dealt with' from event_answers e
      where e.platform_id = any($1) and (e.untold or e.decline_due_at is not null) and not (${WAITS_FOR_ATTENDEE})
    union all select 'job ' || id || ' is processing' from jobs where platform_id = any($1) and status = 'processing'
    union all select 'batch ' || id || ' is ' || status from batches
      where platform_id = any($1) and ended_at is null and status <> 'planned'
    union all select 'job ' || id || ' is leased' from jobs where platform_id = any($1) and lease_until is not null
    union all select 'key ' || operation || ' ' || key || ' is started' from idempotency_keys
      where platform_id = any($1) and state = 'started'
    union all select 'delivery ' || id || ' is pending' from deliveries
      where platform_id = any($1) and (status = 'pending' or lease_until is not null)`,
    platforms,
  );
  return found.map(({ what }) => what);
}

const holdsOf = (platforms: TestPlatform[]) =>
  rows<HoldRow>(
    `select h.meeting_id, u.email, h.event_id, lower(h.during) as start, upper(h.during) as end, h.exclusive, h.conflicts
    from holds h join users u on u.id = h.user_id join meetings m on m.id = h.meeting_id
    where m.platform_id = any($1)`,
    platforms,
  );

/**
 * Returns true if the first meeting held a shared person's time when the second did not. The second must still be as it
 * was made. The later of two meetings counts the earlier one as a conflict; their writers' clocks may differ and cannot
 * tell. Only when the person connected again were both held anew, at once and without a conflict: then the clocks must.
 */
const wasThereFirst = (first: MeetingRow, then: MeetingRow, holds: HoldRow[]) =>
  then.status === 'scheduled' &&
  holds.some(({ meeting_id, email, conflicts }) => {
    const isAsMade = holds.some((hold) => hold.meeting_id === then.id && hold.email === email && hold.exclusive);
    const isEarlier = isAsMade || first.created_at < then.created_at;
    return meeting_id === first.id && then.holders.includes(email) && conflicts === 0 && isEarlier;
  });

const spanOf = (start: Date, end: Date) => `${start.toISOString()}/${end.toISOString()}`;
