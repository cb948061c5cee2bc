import type { Weekday } from '../../../lib/engine/types.ts';
import { describes, FieldError } from '../components.tsx';
import type { FieldErrors } from './preferences-form.ts';

/** Capitalizes a weekday: "Monday". */
export const nameOfDay = (day: Weekday) => `${day.charAt(0).toUpperCase()}${day.slice(1)}`;

type Pair = readonly [start: string, end: string];

interface Props {
  ids: Pair;
  /** Labels of the two time fields for screen readers. On the screen, the text beside the fields says the same. */
  labels: Pair;
  values: Pair;
  errors: FieldErrors;
}

/** Renders two time fields as a start and an end, with the errors of both below them. */
export function TimeSpan({ ids, labels, values, errors }: Props) {
  return (
    <div>
      <div class="times">
        {ids.map((id, i) => (
          <>
            {i === 0 ? null : <span aria-hidden="true">–</span>}
            <label class="hidden" for={id}>
              {labels[i]}
            </label>
            <input {...describes({ id, error: errors[id] })} type="time" name={id} value={values[i]} />
          </>
        ))}
      </div>
      {ids.map((id) => (
        <FieldError id={id} error={errors[id]} />
      ))}
    </div>
  );
}
