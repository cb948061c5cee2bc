import type { Child } from 'hono/jsx';

type Kind = 'info' | 'ok' | 'warn' | 'bad';

/** What a page has to say before anything else; `bad` is read out at once. */
export function Notice({ kind = 'info', title, children }: { kind?: Kind; title?: string; children?: Child }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {title === undefined ? null : <strong>{title}</strong>}
      {children}
    </div>
  );
}

/** Above a form that was refused: nothing was lost, and the way to the first field that needs another look. */
export const NotSaved = ({ fields: [first, ...others] }: { fields: readonly [string, ...string[]] }) => (
  <Notice kind="bad" title="Not saved yet">
    <p>
      {others.length === 0 ? 'One field needs' : `${others.length + 1} fields need`} another look. Everything you typed
      is still here.
    </p>
    <p>
      <a href={`#${first}`} autofocus>
        {others.length === 0 ? 'Go to the field' : 'Go to the first one'}
      </a>
    </p>
  </Notice>
);

/** How something stands, in a word or two; `kind` only colours what the word says. */
export const Badge = ({ kind, children }: { kind?: Kind; children: Child }) => (
  <span class={kind === undefined ? 'badge' : `badge ${kind}`}>{children}</span>
);

/** In place of a list that has nothing in it: what would stand here, and how it comes to. */
export const Empty = ({ title, children }: { title: string; children?: Child }) => (
  <div class="empty">
    <strong>{title}</strong>
    {children}
  </div>
);

const MARKS = {
  ok: 'M16 24.5l5.5 5.5L33 18.5',
  bad: 'M17.5 17.5l13 13m0-13l-13 13',
  warn: 'M24 14.5v12m0 6v.5',
  info: 'M24 22.5v11m0-18v.5',
};

/** The sign above the one message of a card; the words beside it say the same. */
export const Mark = ({ kind }: { kind: Kind }) => (
  <svg class={`mark ${kind}`} viewBox="0 0 48 48" aria-hidden="true">
    <circle cx="24" cy="24" r="24" />
    <path d={MARKS[kind]} />
  </svg>
);

interface FieldProps {
  /** The control's `id`; its hint and error are `<id>-hint` and `<id>-error`. */
  id: string;
  label: Child;
  hint?: Child;
  error?: string | undefined;
  /** The control, with `describes(props)` spread into it. */
  children: Child;
}

/** A control with its label, a hint, and what is wrong with it. */
export function Field({ id, label, hint, error, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** What is wrong with the control of this id. */
export const FieldError = ({ id, error }: { id: string; error?: string | undefined }) =>
  error === undefined ? null : (
    <p class="error" id={`${id}-error`}>
      {error}
    </p>
  );

/** The attributes that tie a control to its label, hint and error: `<input {...describes({ id, error })} name="…" />`. */
export function describes({ id, hint, error }: { id: string; hint?: boolean; error?: string | undefined }) {
  const by = [...(hint ? [`${id}-hint`] : []), ...(error === undefined ? [] : [`${id}-error`])].join(' ');
  return {
    id,
    'aria-describedby': by === '' ? undefined : by,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
}

interface PostFormProps {
  action: string;
  csrf: string;
  /** What the form sends besides. */
  fields?: Record<string, string>;
  kind?: 'primary' | 'quiet' | 'danger';
  isTiny?: boolean;
  /** What the button says; `about` completes it for who hears it alone: "Disconnect" + "Acme". */
  children: Child;
  about?: string;
}

/** A button that changes something, and whatever it must send. */
export function PostForm({
  action,
  csrf,
  fields = {},
  kind = 'primary',
  isTiny = false,
  children,
  about,
}: PostFormProps) {
  const classes = [...(kind === 'primary' ? [] : [kind]), ...(isTiny ? ['tiny'] : [])].join(' ');
  return (
    <form method="post" action={action}>
      <HiddenFields fields={{ csrf, ...fields }} />
      <button type="submit" class={classes === '' ? undefined : classes}>
        {children}
        {about === undefined ? null : <span class="hidden"> {about}</span>}
      </button>
    </form>
  );
}

/** What a form sends without showing it; what is undefined is not sent. */
export const HiddenFields = ({ fields }: { fields: Record<string, string | undefined> }) => (
  <>
    {Object.entries(fields).map(([name, value]) =>
      value === undefined ? null : <input type="hidden" name={name} value={value} />,
    )}
  </>
);

interface TableProps {
  head: readonly string[];
  rows: readonly (readonly Child[])[];
  caption?: string;
  /** Columns of figures, by index: set to the right, digit under digit. */
  numbers?: readonly number[];
  /** Anchors of the rows. */
  ids?: readonly string[];
}

/** A table; on a phone each row is a card that names its cells. */
export function Table({ head, rows, caption, numbers = [], ids = [] }: TableProps) {
  const classOf = (column: number) => (numbers.includes(column) ? 'number' : undefined);
  return (
    <table>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {head.map((name, column) => (
            <th scope="col" class={classOf(column)}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr id={ids[row]}>
            {cells.map((cell, column) => (
              <td class={classOf(column)} data-label={head[column] === '' ? undefined : head[column]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Something to copy. */
export const Sample = ({ children }: { children: string }) => (
  <pre tabindex={0}>
    <code>{children}</code>
  </pre>
);
