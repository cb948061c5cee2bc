import type { Context } from 'hono';
import { explainWeek } from '../../../../lib/availability/explain-week.ts';
import { sayDate } from '../../../../lib/engine/time/dates.ts';
import { formatInZone } from '../../../../lib/engine/time/zone.ts';
import { AppError } from '../../../../lib/kit/errors.ts';
import { selectSuggested } from '../../../../lib/platforms/people.ts';
import { clockOf, placeOf } from '../../../../lib/words/people.ts';
import { ERRORS } from '../../../../schema/api/http-errors.ts';
import type { AppEnv } from '../../../http/env.ts';
import { takeFailure } from '../../../http/errors.ts';
import { Notice } from '../../components.tsx';
import { renderDashboard } from '../frame.tsx';
import { currentPlatform } from '../session.ts';
import { Answer, type Explained } from './answer.tsx';
import { type Twice, WhyForm } from './form.tsx';
import {
  type FieldErrors,
  isAsked,
  OVER,
  type Question,
  readQuestion,
  readTyped,
  stepsFrom,
  type Typed,
} from './question.ts';

const PATH = '/dashboard/why';

/** Builds the statement that reads whom the page's two fields suggest. */
export const suggested = (c: Context<AppEnv>) => selectSuggested(c.var.ctx, currentPlatform(c).id);

/** `people` are those whose addresses its fields suggest. */
export async function whyPage(c: Context<AppEnv>, people: Promise<readonly { email: string }[]>): Promise<Response> {
  const query = c.req.query();
  const typed = readTyped(query);
  const { ctx } = c.var;
  const known = async () => (await people).map(({ email }) => email);
  if (!isAsked(query)) return render(c, { typed, known: await known() });
  const read = readQuestion(typed, ctx.clock.now());
  if (!read.ok) return render(c, { typed, errors: read.errors, known: await known() });
  const { question } = read;
  const explained = await explainWeek(ctx, currentPlatform(c), question).catch((error: unknown) => error);
  const shown = { typed, known: await known() };
  if (!isExplained(explained)) return render(c, { ...shown, ...refusalOf(explained, c, question) });
  return render(c, { ...shown, errors: timeErrors(typed, question, explained), explained, question });
}

const isExplained = (outcome: unknown): outcome is Explained => !(outcome instanceof Error);

interface Shown {
  typed: Typed;
  errors?: FieldErrors;
  /** Error about the whole form, which belongs to no single field. */
  refusal?: string | undefined;
  status?: 400 | 404 | 409 | 500;
  explained?: Explained;
  question?: Question;
  /** Addresses of connected people, which the fields of the form suggest. */
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
      {isWrong ? (
        <Notice kind="bad" title={wrong === 1 ? 'Check the marked field' : 'Check the marked fields'} />
      ) : null}
      {refusal === undefined ? null : (
        <Notice kind="bad" title="Tandem could not show the week">
          <p>{refusal}</p>
        </Notice>
      )}
      <WhyForm
        typed={typed}
        errors={errors}
        known={known}
        twice={explained && twiceOf(explained, typed)}
        places={explained?.people.map(({ timeZone }) => placeOf(timeZone))}
      />
      {explained === undefined || question === undefined ? null : (
        <Answer
          explained={explained}
          question={question}
          linkTo={linkTo}
          steps={stepsFrom(explained.days[0]?.date ?? '', explained.now)}
        />
      )}
    </>,
  );
}

/** It stands at the field of the person or dates it is about, or above the form. */
function refusalOf(error: unknown, c: Context<AppEnv>, { attendees }: Question): Omit<Shown, 'typed' | 'known'> {
  if (!(error instanceof AppError)) throw error;
  const { code, message, details } = takeFailure(error, c);
  const { status } = ERRORS[code];
  if (status !== 400 && status !== 404 && status !== 409 && status !== 500) throw error;
  const place = attendees.indexOf(details.email ?? '');
  const request = status === 500 ? ` The request ID is ${c.var.requestId}.` : '';
  if (place >= 0) return { status, errors: { [place === 0 ? 'first' : 'second']: message + request } };
  if (code === 'invalid_date_range') return { status, errors: { to: message } };
  return { status, refusal: message + request };
}

/** A time has passed, or the clocks skip it. */
function timeErrors(
  { date, time, clock }: Typed,
  { asked }: Question,
  { start, isOver, people }: Explained,
): FieldErrors {
  if (isOver) return { date: OVER };
  if (start !== undefined || asked === undefined) return {};
  const { timeZone = '' } = people[asked.whose === 'requester' ? 0 : 1] ?? {};
  const whose = clock === 'second' ? 'second' : 'first';
  return {
    time: `${clockOf(time)} does not exist on ${sayDate(date)} in ${placeOf(timeZone)}, where the ${whose} person is, because the clocks go forward. Choose another time.`,
  };
}

function twiceOf({ starts, people }: Explained, { clock }: Typed): Twice | undefined {
  const [first, second] = starts;
  const person = people[clock === 'second' ? 1 : 0];
  if (first === undefined || second === undefined || person === undefined) return undefined;
  const offset = (instant: number) => formatInZone(person.timeZone, instant).slice(19);
  return [offset(first), offset(second)];
}
