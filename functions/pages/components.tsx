import { type Child, createContext, type JSX, useContext } from 'hono/jsx';
import { zoneNames } from '../../lib/engine/time/zone-table.ts';

type Kind = 'info' | 'ok' | 'warn' | 'bad';

export function Notice({ kind = 'info', title, children }: { kind?: Kind; title?: string; children?: Child }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {title === undefined ? null : <strong>{title}</strong>}
      {children}
    </div>
  );
}

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

export const Badge = ({ kind, children }: { kind?: Kind; children: Child }) => (
  <span class={kind === undefined ? 'badge' : `badge ${kind}`}>{children}</span>
);

export const LinkLine = ({ to, children }: { to: string; children: Child }) => (
  <p>
    <a href={to}>{children}</a>
  </p>
);

export const ButtonLink = ({ to, kind, children }: { to: string; kind?: string; children: Child }) => (
  <a class={kind === undefined ? 'button' : `button ${kind}`} href={to}>
    {children}
  </a>
);

export const Submit = ({ kind, children }: { kind?: 'quiet' | 'danger' | undefined; children: Child }) => (
  <button type="submit" class={kind}>
    {children}
  </button>
);

export const Card = ({ title, id, children }: { title: Child; id?: string; children: Child }) => (
  <section class="card" id={id}>
    <h2>{title}</h2>
    {children}
  </section>
);

export const Empty = ({ title, children, more }: { title: string; children?: Child; more?: Child }) => (
  <div class="empty">
    <strong>{title}</strong>
    {children && <p>{children}</p>}
    {more}
  </div>
);

export const Status = ({ of: { kind, words } }: { of: { kind: Kind; words: string } }) => (
  <Badge kind={kind}>{words}</Badge>
);

export type FactsProps = { of: readonly (readonly [name: Child, value: Child, style?: string])[] };

export const Facts = ({ of }: FactsProps) => (
  <dl class="facts">
    {of.map(([name, value, style]) =>
      value === null || value === undefined ? null : (
        <>
          <dt>{name}</dt>
          <dd class={style}>{value}</dd>
        </>
      ),
    )}
  </dl>
);

const MARKS = {
  ok: 'M16 24.5l5.5 5.5L33 18.5',
  bad: 'M17.5 17.5l13 13m0-13l-13 13',
  warn: 'M24 14.5v12m0 6v.5',
  info: 'M24 22.5v11m0-18v.5',
};

export const Mark = ({ kind }: { kind: Kind }) => (
  <svg class={`mark ${kind}`} viewBox="0 0 48 48" aria-hidden="true">
    <circle cx="24" cy="24" r="24" />
    <path d={MARKS[kind]} />
  </svg>
);

/** Leads a page on which people meet a platform. Only their browser fetches its logo, if it has one. */
export const PlatformName = ({ name, logoUrl }: { name: string; logoUrl: string | null }) => (
  <p class="platform">
    {logoUrl === null ? null : <img src={logoUrl} alt="" width="48" height="48" referrerpolicy="no-referrer" />}
    <bdi>{name}</bdi>
  </p>
);

export const imagesOf = ({ logoUrl }: { logoUrl: string | null }) =>
  logoUrl === null ? undefined : new URL(logoUrl).origin;

interface FieldProps {
  /** HTML id of the form control. Its hint and error have the ids `<id>-hint` and `<id>-error`. */
  id: string;
  label: Child;
  hint?: Child;
  error?: string | undefined;
  /** The form control. Spread `describes(…)` into it, which ties it to its label, hint and error. */
  children: Child;
}

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

export const FieldError = ({ id, error }: { id: string; error?: string | undefined }) =>
  error === undefined ? null : (
    <p class="error" id={`${id}-error`}>
      {error}
    </p>
  );

type Labels = Omit<FieldProps, 'children'>;

export const InputField = ({ id, label, hint, error, ...input }: Labels & JSX.IntrinsicElements['input']) => (
  <Field id={id} label={label} hint={hint} error={error}>
    <input {...describes({ id, hint: hint !== undefined, error })} name={id} {...input} />
  </Field>
);

type TextProps = Labels & JSX.IntrinsicElements['textarea'] & { text: string };

/** A browser drops the first line break of a text area, which would otherwise be one of the text. */
export const TextField = ({ id, label, hint, error, text, ...area }: TextProps) => (
  <Field id={id} label={label} hint={hint} error={error}>
    <textarea {...describes({ id, hint: hint !== undefined, error })} name={id} {...area}>
      {`\n${text}`}
    </textarea>
  </Field>
);

type Options = readonly (readonly [value: string, label: string])[];

type SelectProps = Labels & { name?: string; chosen: string; options: Options; isWide?: boolean };

/** A select is as wide as its longest option, unless it `isWide`. */
export const SelectField = ({ id, name = id, label, hint, error, chosen, options, isWide = false }: SelectProps) => (
  <Field id={id} label={label} hint={hint} error={error}>
    <select {...describes({ id, hint: hint !== undefined, error })} name={name} class={isWide ? undefined : 'short'}>
      {options.map(([value, words]) => (
        <option value={value} selected={value === chosen}>
          {words}
        </option>
      ))}
    </select>
  </Field>
);

interface RadiosProps extends Pick<SelectProps, 'error' | 'chosen' | 'options'> {
  name: string;
  legend: Child;
  /** The choices are few words, which fit beside each other. */
  isShort?: boolean;
}

export const Radios = ({ name, legend, chosen, error, options, isShort = false }: RadiosProps) => (
  <fieldset class="field" id={name} aria-describedby={error === undefined ? undefined : `${name}-error`}>
    <legend>{legend}</legend>
    <div class={isShort ? 'line' : undefined}>
      {options.map(([value, label]) => (
        <Check type="radio" name={name} value={value} checked={value === chosen} label={label} />
      ))}
    </div>
    <FieldError id={name} error={error} />
  </fieldset>
);

export const Check = ({ label, type = 'checkbox', ...input }: JSX.IntrinsicElements['input'] & { label: Child }) => (
  <label class="check">
    <input type={type} {...input} />
    <span>{label}</span>
  </label>
);

/** Ties the control to its label, hint and error: `<input {...describes({ id, error })} name="…" />`. */
export function describes({ id, hint, error }: { id: string; hint?: boolean; error?: string | undefined }) {
  const by = [...(hint ? [`${id}-hint`] : []), ...(error === undefined ? [] : [`${id}-error`])].join(' ');
  return {
    id,
    'aria-describedby': by === '' ? undefined : by,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
}

/** `renderPage` sets what every form of a page carries. */
export const PageForms = createContext<{ csrf: string | undefined; once: () => string }>({
  csrf: undefined,
  once: () => '',
});

interface FormProps {
  action: string;
  fields?: Record<string, string | undefined>;
  /** A form that must take effect only once is recognized by a random value if the browser sends it twice. */
  isOnce?: boolean;
  class?: string;
  children: Child;
}

/** Carries the session's CSRF token, if there is a session: without it, the form's handler rejects it. */
export function Form({ action, fields, isOnce = false, class: style, children }: FormProps) {
  const { csrf, once } = useContext(PageForms);
  return (
    <form method="post" action={action} class={style}>
      <HiddenFields fields={{ csrf, once: isOnce ? once() : undefined, ...fields }} />
      {children}
    </form>
  );
}

interface PostFormProps extends Omit<FormProps, 'class'> {
  kind?: 'primary' | 'quiet' | 'danger';
  isTiny?: boolean;
  /** Label of the button. `about` completes the label for screen readers: "Disconnect" + "Acme". */
  children: Child;
  about?: string;
}

/** Renders a button that changes something, as a form of its own, because links must not change anything. */
export function PostForm({ kind = 'primary', isTiny = false, children, about, ...form }: PostFormProps) {
  const classes = [...(kind === 'primary' ? [] : [kind]), ...(isTiny ? ['tiny'] : [])].join(' ');
  return (
    <Form {...form}>
      <button type="submit" class={classes || undefined}>
        {children}
        {about === undefined ? null : <span class="hidden"> {about}</span>}
      </button>
    </Form>
  );
}

export const HiddenFields = ({ fields }: { fields: Record<string, string | undefined> }) => (
  <>
    {Object.entries(fields).map(([name, value]) =>
      value === undefined ? null : <input type="hidden" name={name} value={value} />,
    )}
  </>
);

interface Column {
  name: string;
  /** Label of the column's cells on a phone, where `name` is too long. Empty where the cells speak for themselves. */
  short?: string;
  /** `number` aligns digits under digits. `title` heads a card on a phone. `select` is for checkboxes. `row` names rows. */
  is?: 'number' | 'title' | 'select' | 'row';
}

export interface TableProps {
  head: readonly (string | Column)[];
  rows: readonly (readonly Child[])[];
  caption?: string | undefined;
  none?: Child;
  /** True for a table of few short columns, which stays a table on a phone. */
  isSlim?: boolean;
}

/** On a phone each row becomes a card, unless the table is slim, titled by the column that `is` the title. */
export function Table({ head, rows, caption, none, isSlim = false }: TableProps) {
  if (rows.length === 0 && none !== undefined) return none;
  const given = head.map((column): Column => (typeof column === 'string' ? { name: column } : column));
  const title = given.find(({ is }) => is === 'title') ?? given[0];
  const labels = given.map((column) => {
    const { name, short = name, is } = column;
    return isSlim || column === title || is === 'select' || short === '' ? undefined : short;
  });
  return (
    <table class={isSlim ? undefined : 'deck'}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {given.map(({ name, is }) => (
            <th scope="col" class={is === 'number' ? is : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, column) =>
              given[column]?.is === 'row' ? (
                <th scope="row">{cell}</th>
              ) : (
                <td class={given[column]?.is} data-label={labels[column]}>
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Takes the keyboard focus, so that people without a mouse can scroll it. `copies` names it on a copy button. */
export const Sample = ({ children, copies }: { children: string; copies?: string }) => (
  <pre tabindex={0} data-copy={copies}>
    <code>{children}</code>
  </pre>
);

type ZoneProps = Partial<Labels> & { zone: string; children?: Child };

export const ZoneField = ({ id = 'zone', label = 'Time zone', hint, error, zone, children }: ZoneProps) => (
  <Field id={id} label={label} hint={hint} error={error}>
    <select {...describes({ id, hint: hint !== undefined, error })} name={id}>
      {children}
      {zonesWith(zone).map(([region, zones]) => (
        <optgroup label={region}>
          {zones.map((one) => (
            <option value={one} selected={one === zone}>
              {zoneName(one)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  </Field>
);

/** Names the place of a zone without its region: "Argentina, Buenos Aires" for America/Argentina/Buenos_Aires. */
export const zoneName = (zone: string): string =>
  zone
    .slice(zone.indexOf('/') + 1)
    .replaceAll('_', ' ')
    .replaceAll('/', ', ');

const REGIONS = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;

function zonesWith(zone: string): [region: string, zones: string[]][] {
  const regional = zoneNames().filter((name) => REGIONS.test(name));
  const zones = [...new Set([...regional, 'UTC', zone])].filter((name) => name !== '').sort();
  return [...Map.groupBy(zones, (one) => (one.includes('/') ? one.slice(0, one.indexOf('/')) : 'Other'))];
}
