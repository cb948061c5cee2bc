import type { Child } from 'hono/jsx';
import { CONTEXTS } from '../../../../lib/engine/rank/contexts.ts';
import { clockOf } from '../../../../lib/words/people.ts';
import { describes, Field, HiddenFields } from '../../components.tsx';
import { CONTEXT_NAMES, type FieldErrors, type FieldName, type Typed } from './question.ts';

/** UTC offsets of the two instants at which a clock shows the typed time, for the day on which the clocks go back. */
export type Twice = readonly [string, string];

interface FormProps {
  typed: Typed;
  errors: FieldErrors;
  /** Addresses that the fields of the two people suggest. */
  known: readonly string[];
  twice?: Twice | undefined;
  /** Place names of the first and the second person's time zones. Absent until the people's zones are known. */
  places?: readonly string[] | undefined;
}

/** The answer has a URL of its own, which can be shared and reopened. */
export function WhyForm({ typed, errors, known, twice, places = [] }: FormProps) {
  const [first, second] = places.map((place) => ` (${place})`);
  const hasRange = typed.from !== '' || typed.to !== '' || errors.from !== undefined || errors.to !== undefined;
  return (
    <form method="get" action="/dashboard/why#answer" class="why" novalidate>
      <datalist id="known">
        {known.map((email) => (
          <option value={email} />
        ))}
      </datalist>
      <div class="pair">
        <Text
          name="first"
          label="First person"
          hint="The person who asks. Dates and offered times are on their clock."
          typed={typed}
          errors={errors}
        >
          <input type="email" {...control('first', typed, errors, true)} list="known" autocomplete="off" />
        </Text>
        <Text name="second" label="Second person" hint="The person they want to meet." typed={typed} errors={errors}>
          <input type="email" {...control('second', typed, errors, true)} list="known" autocomplete="off" />
        </Text>
      </div>
      <div class="line">
        <Text name="date" label="Date" typed={typed} errors={errors}>
          <input type="date" {...control('date', typed, errors)} />
        </Text>
        <Text name="time" label="Time" typed={typed} errors={errors}>
          <input type="time" {...control('time', typed, errors)} />
        </Text>
        <div class="field">
          <label for="clock">On whose clock</label>
          <select id="clock" name="clock">
            <option value="first">the first person{first}</option>
            <option value="second" selected={typed.clock === 'second'}>
              the second person{second}
            </option>
          </select>
        </div>
        <Text name="minutes" label="Minutes" typed={typed} errors={errors}>
          <input type="number" min="15" max="120" step="5" {...control('minutes', typed, errors)} />
        </Text>
        <div class="field">
          <label for="context">Kind of meeting</label>
          <select id="context" name="context">
            <option value="">any</option>
            {CONTEXT_NAMES.map((name) => (
              <option value={name} selected={typed.context === name}>
                {CONTEXTS[name].title}
              </option>
            ))}
          </select>
        </div>
      </div>
      {twice === undefined ? null : <WhichOne typed={typed} twice={twice} />}
      <details open={hasRange}>
        <summary>Dates to search</summary>
        <p class="hint">
          If you leave both empty, the search starts today and covers as many days as the first person has set.
        </p>
        <div class="line">
          <Text name="from" label="From" typed={typed} errors={errors}>
            <input type="date" {...control('from', typed, errors)} />
          </Text>
          <Text name="to" label="To" typed={typed} errors={errors}>
            <input type="date" {...control('to', typed, errors)} />
          </Text>
        </div>
      </details>
      {twice === undefined ? <HiddenFields fields={{ which: typed.which || undefined }} /> : null}
      <div class="actions">
        <button type="submit">Show the week</button>
      </div>
    </form>
  );
}

const control = (name: FieldName, typed: Typed, errors: FieldErrors, hint = false) => ({
  ...describes({ id: name, hint, error: errors[name] }),
  name,
  value: typed[name],
});

interface TextProps {
  name: FieldName;
  label: string;
  hint?: string;
  typed: Typed;
  errors: FieldErrors;
  children: Child;
}

const Text = ({ name, label, hint, errors, children }: TextProps) => (
  <Field id={name} label={label} hint={hint} error={errors[name]}>
    {children}
  </Field>
);

/** Asks which of two instants is meant, because the clocks go back that day and show the typed time twice. */
function WhichOne({ typed: { time, which }, twice }: { typed: Typed; twice: Twice }) {
  return (
    <fieldset class="field">
      <legend>{`${clockOf(time)} happens twice that day, because the clocks go back. Which one do you mean?`}</legend>
      <div>
        <label class="check">
          <input type="radio" name="which" value="first" checked={which !== 'second'} />
          {`The first (UTC${twice[0]})`}
        </label>
        <label class="check">
          <input type="radio" name="which" value="second" checked={which === 'second'} />
          {`The second (UTC${twice[1]})`}
        </label>
      </div>
    </fieldset>
  );
}
