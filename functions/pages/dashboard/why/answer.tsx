import type { explainWeek } from '../../../../lib/availability/explain-week.ts';
import { placeOnDays } from '../../../../lib/engine/explain/week-bands.ts';
import { formatDate, MINUTE, mondayOf, sayDate } from '../../../../lib/engine/time/dates.ts';
import { localDate, localDay } from '../../../../lib/engine/time/zone.ts';
import type { Interval } from '../../../../lib/engine/types.ts';
import { sayNotice, sayPlace } from '../../../../lib/words/explanation.ts';
import { namesOf } from '../../../../lib/words/people.ts';
import { Ago } from '../../clock.tsx';
import { ButtonLink, Empty, LinkLine, Notice } from '../../components.tsx';
import { COMMON, PairWeek } from '../../week/week.tsx';
import { marksOn, sayStretch } from '../../week/words.ts';
import { many, Suggestions } from '../parts.tsx';
import type { Question } from './question.ts';

export type Explained = Awaited<ReturnType<typeof explainWeek>>;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

interface AnswerProps {
  explained: Explained;
  question: Question;
  linkTo: (changes: Record<string, string | undefined>) => string;
  steps: { before: string | undefined; after: string | undefined };
}

export function Answer({ explained, question, linkTo, steps }: AnswerProps) {
  const { start, explanation, days } = explained;
  const { durationMinutes } = question;
  const asked = start === undefined ? undefined : { start, end: start + durationMinutes * MINUTE };
  const monday = days[0]?.date ?? '';
  return (
    <section
      id={explanation === undefined && question.asked !== undefined ? undefined : 'answer'}
      aria-labelledby="week"
    >
      {question.asked === undefined ? <Overall {...explained} /> : null}
      {explanation === undefined || asked === undefined ? null : (
        <Verdict explained={explained} asked={asked} context={question.context} linkTo={linkTo} />
      )}
      <div class="steps">
        <h2 id="week">{`The week of ${sayDate(monday)}`}</h2>
        <nav aria-label="Weeks">
          {(['before', 'after'] as const).map((way) =>
            steps[way] === undefined ? null : (
              <ButtonLink to={linkTo({ week: steps[way] })} kind="quiet tiny">
                {way === 'before' ? 'Previous week' : 'Next week'}
              </ButtonLink>
            ),
          )}
        </nav>
      </div>
      <Picture explained={explained} asked={asked} />
      {question.asked === undefined && explained.slots.length === 0 ? null : (
        <>
          <h2>What a search offers</h2>
          <Offered explained={explained} linkTo={linkTo} />
        </>
      )}
      <p class="small muted">
        Calendars last read:{' '}
        {explained.calendars.map(({ email, readAt }, place) => (
          <>
            {place === 0 ? '' : '; '}
            {email}, <Ago ms={Date.parse(readAt)} />
          </>
        ))}
        .
      </p>
      <p class="small">
        <a href={linkTo({ fresh: 'yes' })}>Read both calendars now</a>
      </p>
    </section>
  );
}

const Overall = ({ slots, message, suggestions = [] }: Pick<Explained, 'slots' | 'message' | 'suggestions'>) =>
  slots.length === 0 ? (
    <Notice kind="warn" title="A search finds no time">
      <p>{message}</p>
      <Suggestions of={suggestions} />
    </Notice>
  ) : (
    <Notice kind="ok" title={`A search offers ${many(slots.length, 'time')}`}>
      <p>To see what rules out another time, enter its date and time above.</p>
    </Notice>
  );

type VerdictProps = Pick<AnswerProps, 'explained' | 'linkTo'> & Pick<Question, 'context'> & { asked: Interval };

const VERDICTS = { ok: 'Free, and offered', info: 'Free, but not offered', warn: 'Not free' };

function Verdict({ explained, asked, context, linkTo }: VerdictProps) {
  const { explanation, people, now } = explained;
  if (explanation === undefined) return null;
  const notOffered = explanation.free ? 'info' : 'warn';
  const kind = explanation.offered ? 'ok' : notOffered;
  return (
    <Notice kind={kind} title={VERDICTS[kind]}>
      <ul class="clocks">
        {people.map(({ email, timeZone }) => (
          <li>
            <Whole span={asked} timeZone={timeZone} /> <span class="muted">for</span> <bdi>{email}</bdi>{' '}
            <span class="muted">({timeZone})</span>
          </li>
        ))}
      </ul>
      {explanation.free ? (
        <p>{sayPlace(explanation)}</p>
      ) : (
        <ol class="against-list">
          {explanation.against.map(({ email, detail }, i) => (
            <li>
              <b aria-hidden="true">{LETTERS[i]}</b>
              <span>
                {email === null ? null : <span class="whose">{email}: </span>}
                {detail}
              </span>
            </li>
          ))}
        </ol>
      )}
      {explanation.against.some(({ rule }) => rule === 'window') ? (
        <LinkLine to={linkTo(weekOf(asked.start, people[0]?.timeZone ?? 'UTC'))}>Search the week of this time</LinkLine>
      ) : null}
      {context === undefined ? null : <p>{sayNotice(context, asked.start, now)}</p>}
    </Notice>
  );
}

function weekOf(instant: number, timeZone: string) {
  const monday = mondayOf(localDay(timeZone, instant));
  return { from: formatDate(monday), to: formatDate(monday + 6), week: undefined };
}

function Whole({ span, timeZone }: { span: Interval; timeZone: string }) {
  const date = localDate(timeZone, span.start);
  return (
    <>
      {sayDate(date)}, <span class="nowrap">{sayStretch(timeZone, span, date)}</span>
    </>
  );
}

/** Formats a time span on a zone's clock: "Wednesday, 6 May, 11:30–12:00". */
const sayWhole = (span: Interval, timeZone: string): string => {
  const date = localDate(timeZone, span.start);
  return `${sayDate(date)}, ${sayStretch(timeZone, span, date)}`;
};

function Picture({ explained, asked }: { explained: Explained; asked: Interval | undefined }) {
  const { days, bands, people, slots, explanation } = explained;
  const [requester, other] = people;
  if (requester === undefined || other === undefined) return null;
  const laneOf = (email: string | null) => [requester.email, null, other.email].indexOf(email);
  const marks = slots.flatMap((slot, i) => {
    const title = `Offered time ${i + 1}: ${sayWhole(slot, requester.timeZone)}`;
    return marksOn(days, slot, { kind: 'pick', lane: COMMON, sign: String(i + 1), title });
  });
  if (asked !== undefined && explanation !== undefined) {
    const title = `The time you asked about: ${sayWhole(asked, requester.timeZone)}`;
    const against = explanation.against.flatMap(({ email, detail }, i) =>
      marksOn(days, asked, { kind: 'against', lane: laneOf(email), sign: LETTERS[i] ?? '', title: detail }),
    );
    marks.push(...marksOn(days, asked, { kind: 'asked', sign: '', title }), ...against);
  }
  return <PairWeek {...{ days, bands, marks }} people={[requester, other]} />;
}

function Offered({ explained, linkTo }: Pick<AnswerProps, 'explained' | 'linkTo'>) {
  const { slots, message, suggestions = [], people, days } = explained;
  const [requester, other] = people;
  if (requester === undefined || other === undefined) return null;
  if (slots.length === 0)
    return (
      <Empty title="No times" more={<Suggestions of={suggestions} />}>
        {message}
      </Empty>
    );
  const names = namesOf([requester, other]);
  const isShown = (span: Interval) => placeOnDays(span, days).some((place) => place !== undefined);
  return (
    <ol class="rows picks">
      {slots.map((slot, i) => {
        const date = localDate(requester.timeZone, slot.start);
        return (
          <li>
            <b aria-hidden="true">{i + 1}</b>
            <div>
              <strong>
                <Whole span={slot} timeZone={requester.timeZone} />
              </strong>{' '}
              <span class="muted">
                for <bdi>{names.short(requester.email)}</bdi>,{' '}
                <span class="nowrap">{sayStretch(other.timeZone, slot, date)}</span> for{' '}
                <bdi>{names.short(other.email)}</bdi>
              </span>
              <br />
              {slot.reason}
            </div>
            {isShown(slot) ? null : (
              <a href={linkTo({ week: date })}>
                Show its week<span class="hidden"> (time {i + 1})</span>
              </a>
            )}
          </li>
        );
      })}
    </ol>
  );
}
