import type { Context } from 'hono';
import { explainWeek } from '../../../../lib/availability/explain-week.ts';
import { CONTEXTS, MEETING_CONTEXTS } from '../../../../lib/engine/rank/contexts.ts';
import { sayDate } from '../../../../lib/engine/time/dates.ts';
import { formatInZone } from '../../../../lib/engine/time/zone.ts';
import { selectSuggested } from '../../../../lib/platforms/people.ts';
import { cityOf, clockOf } from '../../../../lib/words/people.ts';
import type { AppEnv } from '../../../http/env.ts';
import { HiddenFields, InputField, Notice, Radios, SelectField } from '../../components.tsx';
import { renderDashboard } from '../frame.tsx';
import { attempt, currentPlatform, type FormRefusal } from '../session.ts';
import { Answer, type Explained } from './answer.tsx';
import type { FieldErrors, FieldName, Question, Typed } from './question.ts';
import { isAsked, OVER, readQuestion, readTyped, stepsFrom } from './question.ts';

const PATH = '/dashboard/why';

export const suggested = (c: Context<AppEnv>) => selectSuggested(c.var.ctx, currentPlatform(c).id);

export async function whyPage(c: Context<AppEnv>, people: Promise<readonly { email: string }[]>): Promise<Response> {
  const query = c.req.query();
  const typed = readTyped(query);
  const { ctx } = c.var;
  const known = async () => (await people).map(({ email }) => email);
  if (!isAsked(query)) return render(c, { typed, known: await known() });
  const read = readQuestion(typed, ctx.clock.now());
  if (!read.ok) return render(c, { typed, errors: read.errors, known: await known() });
  const { question } = read;
  const { answer: explained, refusal } = await attempt(c, () => explainWeek(ctx, currentPlatform(c), question));
  const shown = { typed, known: await known() };
  if (explained === undefined) return render(c, { ...shown, ...shownRefusal(refusal, question, c.var.requestId) });
  return render(c, { ...shown, errors: timeErrors(typed, question, explained), explained, question });
}

interface Shown {
  typed: Typed;
  errors?: FieldErrors;
  refusal?: string | undefined;
  status?: FormRefusal['status'];
  explained?: Explained;
  question?: Question;
  known: readonly string[];
}

function render(c: Context<AppEnv>, { typed, errors = {}, refusal, status, explained, question, known }: Shown) {
  const wrong = Object.keys(errors).length;
  const isWrong = wrong > 0;
  const linkTo = (changes: Record<string, string | undefined>) => {
    const given = Object.entries({ ...typed, fresh: '', ...changes }).filter(([, value]) => value);
    return `${PATH}?${new URLSearchParams(given as [string, string][])}#answer`;
  };
  return renderDashboard(
    c,
    { title: 'Why not?', at: PATH, status: status ?? (isWrong ? 400 : 200), hasTimes: false },
    <>
      <p class="lead">
        See two people’s week as a search sees it, and what rules a time out. Leave the date and the time empty to see
        why a search offers what it does, or nothing at all. You see when someone is busy, but never with what.
      </p>
      {isWrong && <Notice kind="bad" title={wrong === 1 ? 'Check the marked field' : 'Check the marked fields'} />}
      {refusal === undefined ? null : (
        <Notice kind="bad" title="Tandem could not show the week">
          <p>{refusal}</p>
        </Notice>
      )}
      <WhyForm
        {...{ typed, errors, known }}
        twice={explained && twiceOf(explained, typed)}
        places={explained?.people.map(({ timeZone }) => cityOf(timeZone))}
      />
      {explained === undefined || question === undefined ? null : (
        <Answer {...{ explained, question, linkTo }} steps={stepsFrom(explained.days[0]?.date ?? '', explained.now)} />
      )}
    </>,
  );
}

function shownRefusal({ code, message, email, status }: FormRefusal, { attendees }: Question, requestId: string) {
  const place = attendees.indexOf(email ?? '');
  const request = status === 500 ? ` The request ID is ${requestId}.` : '';
  if (place >= 0) return { status, errors: { [place === 0 ? 'first' : 'second']: message + request } };
  if (code === 'invalid_date_range') return { status, errors: { to: message } };
  return { status, refusal: message + request };
}

function timeErrors(typed: Typed, { asked }: Question, { start, isOver, people }: Explained): FieldErrors {
  const { date, time, clock } = typed;
  if (isOver) return { date: OVER };
  if (start !== undefined || asked === undefined) return {};
  const { timeZone = '' } = people[asked.whose === 'requester' ? 0 : 1] ?? {};
  const whose = clock === 'second' ? 'second' : 'first';
  return {
    time: `${clockOf(time)} does not exist on ${sayDate(date)} in ${cityOf(timeZone)}, where the ${whose} person is, because the clocks go forward. Choose another time.`,
  };
}

function twiceOf({ starts, people }: Explained, { clock }: Typed): Twice | undefined {
  const [first, second] = starts;
  const person = people[clock === 'second' ? 1 : 0];
  if (first === undefined || second === undefined || person === undefined) return undefined;
  const offset = (instant: number) => formatInZone(person.timeZone, instant).slice(19);
  return [offset(first), offset(second)];
}

/** UTC offsets of the two instants at which a clock shows the typed time, for the day on which the clocks go back. */
type Twice = readonly [string, string];

interface FormProps extends Required<Pick<Shown, 'typed' | 'errors' | 'known'>> {
  twice?: Twice | undefined;
  /** Place names of the first and the second person's time zones. Absent until the people's zones are known. */
  places?: readonly string[] | undefined;
}

const ADDRESS = { type: 'email', list: 'known', autocomplete: 'off' };

function WhyForm({ typed, errors, known, twice, places = [] }: FormProps) {
  const [first = '', second = ''] = places.map((place) => ` (${place})`);
  const hasRange = typed.from !== '' || typed.to !== '' || errors.from !== undefined || errors.to !== undefined;
  const field = (name: FieldName) => ({ id: name, value: typed[name], error: errors[name] });
  return (
    <form method="get" action="/dashboard/why#answer" class="why" novalidate>
      <datalist id="known">
        {known.map((email) => (
          <option value={email} />
        ))}
      </datalist>
      <div class="pair">
        <InputField
          {...{ ...field('first'), ...ADDRESS }}
          label="First person"
          hint="The person who asks. Dates and offered times are on their clock."
        />
        <InputField
          {...{ ...field('second'), ...ADDRESS }}
          label="Second person"
          hint="The person they want to meet."
        />
      </div>
      <div class="line">
        <InputField {...field('date')} label="Date" type="date" />
        <InputField {...field('time')} label="Time" type="time" />
        <SelectField
          id="clock"
          label="On whose clock"
          isWide
          chosen={typed.clock}
          options={[
            ['first', `the first person${first}`],
            ['second', `the second person${second}`],
          ]}
        />
        <InputField {...field('minutes')} label="Minutes" type="number" min="15" max="120" step="5" />
        <SelectField
          id="context"
          label="Kind of meeting"
          isWide
          chosen={typed.context}
          options={[['', 'any'], ...MEETING_CONTEXTS.map((name) => [name, CONTEXTS[name].title] as const)]}
        />
      </div>
      {twice === undefined ? null : (
        <Radios
          name="which"
          legend={`${clockOf(typed.time)} happens twice that day, because the clocks go back. Which one do you mean?`}
          chosen={typed.which === 'second' ? 'second' : 'first'}
          options={[
            ['first', `The first (UTC${twice[0]})`],
            ['second', `The second (UTC${twice[1]})`],
          ]}
        />
      )}
      <details open={hasRange}>
        <summary>Dates to search</summary>
        <p class="hint">
          If you leave both empty, the search starts today and covers as many days as the first person has set.
        </p>
        <div class="line">
          <InputField {...field('from')} label="From" type="date" />
          <InputField {...field('to')} label="To" type="date" />
        </div>
      </details>
      {twice === undefined ? <HiddenFields fields={{ which: typed.which || undefined }} /> : null}
      <div class="actions">
        <button type="submit">Show the week</button>
      </div>
    </form>
  );
}
