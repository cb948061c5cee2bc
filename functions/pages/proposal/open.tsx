import { dayBands, localWeek } from '../../../lib/engine/explain/week-bands.ts';
import { formatInZone, localDay } from '../../../lib/engine/time/zone.ts';
import type { Interval } from '../../../lib/engine/types.ts';
import { capitalized, lasting, quotedWords } from '../../../lib/words/people.ts';
import { asRead } from '../clock.tsx';
import { Form, InputField, Submit } from '../components.tsx';
import { Legend } from '../week/legend.tsx';
import { Drawing } from '../week/week.tsx';
import { marksOn, type WeekLane } from '../week/words.ts';
import { type Instead, NearestTimes, ReasonField, type TypedReason } from './another-time.tsx';
import {
  Asker,
  beside,
  isMove,
  keptUntil,
  momentOn,
  noneTitle,
  onClock,
  partOfDay,
  type Seen,
  Source,
  type Typed,
  zoneField,
  zoneTitle,
} from './frame.tsx';

type Times = Extract<Seen['state'], { kind: 'open' }>['times'];

interface Props {
  seen: Seen;
  times: Times;
  typed?: Typed | undefined;
  instead?: Instead | undefined;
  free?: number[] | undefined;
}

export function OpenProposal({ seen, times, typed, instead, free }: Props) {
  const { proposal } = seen;
  const reason = typed?.field === 'reason' ? typed : undefined;
  const name = typed?.field === 'name' ? typed : undefined;
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
          {...{ seen, time }}
          isFree={free?.includes(time.start)}
          typed={name?.time === time.id ? name : undefined}
        />
      ))}
      {times.length === 0 || free !== undefined || proposal.isOtherConnected ? null : (
        <Form action={seen.path} class="own-calendar" fields={{ answer: 'check', ...zoneField(seen) }}>
          <Submit kind="quiet">Check my Google calendar</Submit>
          <p class="muted small">
            Google asks you to let Tandem see when you are busy. Tandem looks once, and keeps nothing.
          </p>
        </Form>
      )}
      {reason ? null : others}
      <Source seen={seen} times={times.length} />
    </>
  );
}

const byDate = (times: Times) => times.toSorted((one, other) => one.start - other.start);

const COUNTS = ['', 'one', 'two', 'three', 'four', 'five'];

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

/** Hours of the day between which a meeting must lie so that it does not count as early, late or at night. */
const [FROM_HOUR, TO_HOUR] = [7, 21];

function isAtNight({ start, end }: Interval, timeZone: string): boolean {
  const from = formatInZone(timeZone, start);
  const to = formatInZone(timeZone, end);
  const hour = Number(from.slice(11, 13));
  const until = Number(to.slice(11, 13)) + Number(to.slice(14, 16)) / 60;
  return hour < FROM_HOUR || hour >= TO_HOUR || from.slice(0, 10) !== to.slice(0, 10) || until > TO_HOUR;
}

/** All times are early, late or at night for the viewer. Shows nothing if Tandem only guesses their zone. */
function AllAtNight({ seen, times }: { seen: Seen; times: readonly Interval[] }) {
  const { path, zone, isZoneGiven, state } = seen;
  const mayAsk = state.kind === 'open' && state.mayCounter;
  if (!isZoneGiven || !mayAsk || times.length === 0 || !times.every((time) => isAtNight(time, zone))) return null;
  const hours = `${asRead('8:00')} and ${asRead('20:00')}`;
  return (
    <Form
      action={path}
      class="own-calendar"
      fields={{ answer: 'counter', reason: `Between ${hours}`, ...zoneField(seen) }}
    >
      <p>
        {times.length === 1 ? 'This time is' : 'All of these times are'} early or late in{' '}
        <strong>{zoneTitle(zone)}</strong>.
      </p>
      <Submit kind="quiet">Find times between {hours}</Submit>
    </Form>
  );
}

function NoneOfThese({ seen, typed, times }: { seen: Seen; typed: TypedReason; times: number }) {
  const { path, platform, state } = seen;
  const asks = state.kind === 'open' && state.mayCounter;
  return (
    <details class="offer none" name="offer" open={times === 0 || typed !== undefined}>
      <summary>
        <span>{noneTitle(seen, times)}</span>
      </summary>
      <Form action={path} fields={zoneField(seen)}>
        <ReasonField
          label={asks ? 'When would suit you?' : 'Reason (optional)'}
          hint={[
            asks ? 'For example “Thursday afternoon” or “a morning next week”. ' : null,
            <bdi>{platform.name}</bdi>,
            ' can read this.',
          ]}
          typed={typed}
        />
        {asks ? (
          <button type="submit" name="answer" value="counter">
            Find other times
          </button>
        ) : (
          <p class="muted small">You have asked for other times as often as you can here.</p>
        )}
        <button type="submit" class="quiet" name="answer" value="decline">
          Decline
        </button>
      </Form>
    </details>
  );
}

export const LONGEST_NAME = 100;

interface OfferProps {
  seen: Seen;
  time: Times[number];
  typed: Extract<Typed, { field: 'name' }> | undefined;
  isFree?: boolean | undefined;
}

function Offer({ seen, time, typed, isFree }: OfferProps) {
  const { date, hours } = onClock(time, seen.zone);
  const theirs = beside(time.start, seen.requesterTimeZone, seen.zone);
  return (
    <details class="offer" name="offer" open={typed !== undefined}>
      <summary>
        <span>
          <strong>{date}</strong>
          <span class="hours">{hours}</span>
          {theirs && <span class="muted small">{theirs}</span>}
          {theirs && <BothClocks seen={seen} time={time} />}
          {isFree === undefined ? null : (
            <span class={isFree ? 'small free' : 'small'}>
              {isFree ? 'Free in your calendar' : 'Busy in your calendar'}
            </span>
          )}
        </span>
      </summary>
      <Form action={seen.path} fields={{ answer: 'accept', time: time.id, ...zoneField(seen) }}>
        {seen.proposal.isOtherConnected ? null : (
          <InputField
            id={`name-${time.id}`}
            label="Your name"
            error={typed?.error}
            name="name"
            autocomplete="name"
            maxlength={LONGEST_NAME}
            required
            autofocus={typed !== undefined}
            value={typed?.text ?? seen.proposal.guestName ?? ''}
          />
        )}
        <p>
          The calendar invitation goes to <strong>{seen.proposal.otherEmail}</strong>.
        </p>
        <button type="submit">
          Confirm<span class="hidden">{` ${date}, ${hours}`}</span>
        </button>
      </Form>
    </details>
  );
}

/** Returns the time between day and night on both clocks. Of the requester's, it shows no more than the zone. */
function drawn({ seen: { zone, requesterTimeZone: theirs = zone }, time }: Pick<OfferProps, 'seen' | 'time'>) {
  const days = localWeek(zone, localDay(zone, time.start)).slice(0, 1);
  const lanes: WeekLane[] = [
    { name: 'Yours', timeZone: zone, bands: dayBands(zone, days), ruler: 'above' },
    { name: 'Theirs', timeZone: theirs, bands: dayBands(theirs, days), ruler: 'below' },
  ];
  const name = `${capitalized(partOfDay(time.start, zone))}, ${partOfDay(time.start, theirs)}`;
  return { days, lanes, name, marks: marksOn(days, time, { kind: 'offered', sign: '', title: 'The offered time' }) };
}

function BothClocks({ seen, time }: Pick<OfferProps, 'seen' | 'time'>) {
  const { days, ...about } = drawn({ seen, time });
  return days.map((day) => <Drawing {...about} day={day} id={time.id} />);
}

/** Explains the drawn days of a proposal's times. Shows nothing if none is drawn, because both clocks show the same. */
function DayLegend({ seen, times }: Pick<Props, 'seen' | 'times'>) {
  const time = times.find(({ start }) => beside(start, seen.requesterTimeZone, seen.zone) !== undefined);
  return time && <Legend {...drawn({ seen, time })} />;
}
