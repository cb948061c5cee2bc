import { lasting, quotedWords } from '../../../lib/words/people.ts';
import { AllAtNight } from './at-night.tsx';
import { CheckCalendar } from './check-button.tsx';
import { Asker, isMove, type Seen, Source, type Typed } from './frame.tsx';
import { type Instead, NearestTimes } from './instead.tsx';
import { NoneOfThese } from './none-of-these.tsx';
import { DayLegend, Offer } from './offer.tsx';
import { keptUntil, momentOn, zoneTitle } from './times.ts';

type Times = Extract<Seen['state'], { kind: 'open' }>['times'];

interface Props {
  seen: Seen;
  times: Times;
  typed?: Typed | undefined;
  /** Free times that the person can ask for in place of these. */
  instead?: Instead | undefined;
  /** The person's calendar is free at these. Undefined if Tandem did not read it. */
  free?: number[] | undefined;
}

export function OpenProposal({ seen, times, typed, instead, free }: Props) {
  const { proposal } = seen;
  const reason = typed?.field === 'reason' ? typed : undefined;
  const others = <NoneOfThese seen={seen} typed={reason} times={times.length} />;
  return (
    <>
      {/* What was typed stays below the message about it. */}
      {reason && others}
      {instead && <NearestTimes seen={seen} {...instead} />}
      <p class="lead">
        <strong>
          <Asker proposal={proposal} />
        </strong>{' '}
        {leadOf(seen, times.length)}
      </p>
      {proposal.asked === null ? null : (
        <p class="muted small">
          You asked for: <bdi>{quotedWords(proposal.asked)}</bdi>
        </p>
      )}
      {proposal.movedStart === null ? null : (
        <p>
          Your meeting is on <strong>{momentOn(proposal.movedStart, seen.zone)}</strong>, and stays there until you
          choose.
        </p>
      )}
      <Deadline seen={seen} times={times} />
      {times.length === 0 ? null : <ZoneLine seen={seen} />}
      {free === undefined ? <AllAtNight seen={seen} times={times} /> : null}
      <DayLegend seen={seen} times={times} />
      {byDate(times).map((time) => (
        <Offer
          seen={seen}
          time={time}
          isFree={free?.includes(time.start)}
          typed={typed?.field === 'name' && typed.time === time.id ? typed : undefined}
        />
      ))}
      {times.length === 0 || free !== undefined ? null : <CheckCalendar seen={seen} />}
      {reason ? null : others}
      <Source seen={seen} times={times.length} />
    </>
  );
}

const byDate = (times: Times) => times.toSorted((one, other) => one.start - other.start);

const COUNTS = ['', 'one', 'two', 'three', 'four', 'five'];

/** Returns a small number as a word: "three". */
export const countOf = (times: number) => COUNTS[times] ?? String(times);

/** Goes on after the requester's name. */
function leadOf(seen: Seen, times: number): string {
  const [isAnswer, length] = [seen.proposal.counterOf !== null, `for ${lasting(seen.proposal.durationMinutes)}`];
  const what = isMove(seen) ? 'to move this meeting' : length;
  if (times === 0)
    return isAnswer && isMove(seen)
      ? 'could have met you at other times, but none of them is free any more.'
      : `asked you ${what}, but none of the times is free any more.`;
  const choose = times === 1 ? 'Choose it if it suits you.' : 'Choose the one that suits you.';
  const offered = times === 1 ? 'this time' : `one of these ${countOf(times)} times`;
  if (isAnswer) return `can meet you ${isMove(seen) ? '' : `${length} `}at ${offered} instead. ${choose}`;
  const how = times > 1 ? `and offers ${countOf(times)} times` : `${isMove(seen) ? 'to' : 'at'} this time`;
  return `asks you ${what} ${how}. ${choose}`;
}

/** Says in whose time zone a proposal's page shows times, and links to the choice of another zone. */
export function ZoneLine({ seen: { path, zone, isZoneUnknown, requesterTimeZone } }: { seen: Seen }) {
  const isOne = requesterTimeZone === undefined || zoneTitle(requesterTimeZone) === zoneTitle(zone);
  return (
    <p class="zone">
      <span>
        {isZoneUnknown ? 'Their clock' : 'Your clock'}: <strong>{zoneTitle(zone)}</strong>
      </span>
      <a href={`${path}/zone?zone=${encodeURIComponent(zone)}`}>
        {isZoneUnknown ? 'Show yours' : 'Change'}
        <span class="hidden">{isZoneUnknown ? ', your time zone' : ' your time zone'}</span>
      </a>
      {isOne ? null : (
        <span>
          Theirs: <strong>{zoneTitle(requesterTimeZone)}</strong>
        </span>
      )}
    </p>
  );
}

/** Says until when the times are kept, or which is booked then. `times` are in the order of the proposal. */
function Deadline({ seen: { proposal, zone }, times }: { seen: Seen; times: Times }) {
  const [first] = times;
  if (first === undefined) return null;
  const isKept = proposal.onExpiry === 'cancel';
  const { at, more } = isKept ? keptUntil(times, proposal.expiresAt) : { at: proposal.expiresAt, more: '' };
  const until = <time datetime={new Date(at).toISOString()}>{momentOn(at, zone)}</time>;
  const others = byDate(times)[0] === first ? FIRST_FREE : `${momentOn(first.start, zone)}, or another if that is gone`;
  const booked = times.length === 1 ? 'this time, if it is still free' : others;
  const kept = `${times.length === 1 ? 'This time is' : 'These times are'} kept free for you until `;
  return <p>{isKept ? [kept, until, more] : ['If you do not answer by ', until, `, Tandem books ${booked}`]}.</p>;
}

const FIRST_FREE = 'the first of these times that is still free';
