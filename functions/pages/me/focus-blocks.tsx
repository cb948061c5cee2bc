import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import { describes, FieldError } from '../components.tsx';
import { type FieldErrors, SPARE_ROWS, type Typed } from './preferences-form.ts';
import { nameOfDay, TimeSpan } from './time-field.tsx';

const BLANK = { day: '', start: '', end: '', reason: '', isRemoved: false };

/** Renders the weekly hours that a person keeps free of meetings, each in a row that can be removed. */
export function FocusBlocks({ blocks, errors }: { blocks: Typed['focus']; errors: FieldErrors }) {
  const isFilled = (block: Typed['focus'][number]) => `${block.day}${block.start}${block.end}${block.reason}` !== '';
  const rows = [...blocks.filter(isFilled), ...Array.from({ length: SPARE_ROWS }, () => BLANK)];
  return (
    <section class="card">
      <h2>Focus time</h2>
      <p class="hint">Weekly hours in which Tandem offers no meetings.</p>
      {rows.map((block, row) => (
        <Block block={block} row={row} errors={errors} isNew={!isFilled(block)} />
      ))}
    </section>
  );
}

interface BlockProps {
  block: Typed['focus'][number];
  row: number;
  errors: FieldErrors;
  isNew: boolean;
}

function Block({ block, row, errors, isNew }: BlockProps) {
  const id = (part: string) => `focus-${row}-${part}`;
  const name = `Focus time ${row + 1}`;
  return (
    <fieldset class="block">
      <legend class="hidden">{isNew ? `${name}, new` : name}</legend>
      <div class="weekday">
        <label class="hidden" for={id('day')}>
          Weekday
        </label>
        <select {...describes({ id: id('day'), error: errors[id('day')] })} name={id('day')}>
          <option value="">{isNew ? 'Add a day' : 'No day'}</option>
          {WEEKDAYS.map((day) => (
            <option value={day} selected={day === block.day}>
              {nameOfDay(day)}
            </option>
          ))}
        </select>
        <FieldError id={id('day')} error={errors[id('day')]} />
      </div>
      <TimeSpan
        ids={[id('start'), id('end')]}
        labels={['From', 'Until']}
        values={[block.start, block.end]}
        errors={errors}
      />
      <div class="reason">
        <label class="hidden" for={id('reason')}>
          Reason
        </label>
        <input
          {...describes({ id: id('reason'), error: errors[id('reason')] })}
          name={id('reason')}
          placeholder="Reason (optional)"
          maxlength={1000}
          value={block.reason}
        />
        <FieldError id={id('reason')} error={errors[id('reason')]} />
      </div>
      {isNew ? null : (
        <label class="check">
          <input type="checkbox" name={id('remove')} checked={block.isRemoved} />
          <span>Remove</span>
        </label>
      )}
    </fieldset>
  );
}
