import { CONSENT_STYLE } from './consent-style.ts';
import { DASHBOARD_STYLE } from './dashboard/style.ts';
import { ME_STYLE } from './me/style.ts';
import { PROPOSAL_STYLE } from './proposal/style.ts';
import { WEEK_STYLE } from './week/style.ts';

/**
 * CSS variables that the styles of every page use. Sizes come from one scale (`--s1` to `--s8`). Colors are named for
 * their purpose and have light and dark values: text has a contrast of at least 4.5 on each background, the border of a
 * control at least 3. The pages' content security policy allows only this style and no style attributes, so drawings
 * use classes and SVG attributes.
 */
const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: #fbfbfd; --surface: #fff; --sunken: #f3f4f8; --line: #e2e4ec; --control: #858b9d;
  --ink: #14161d; --muted: #565c6d;
  --accent: #4036c9; --accent-strong: #2f2799; --on-accent: #fff; --accent-soft: #eeedfd;
  --ok: #12643a; --ok-soft: #e4f4ea; --warn: #7d4b00; --warn-soft: #fdf1d8; --danger: #b0201c; --danger-soft: #fdebe9;
  --series-1: #4f46d8; --series-2: #0f7f74; --series-3: #b85c00;
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2rem; --s7: 3rem; --s8: 4rem;
  --small: .875rem; --large: 1.25rem; --title: 1.75rem; --radius: 10px;
  --shadow: 0 1px 2px rgb(20 22 45 / .05), 0 8px 24px rgb(20 22 45 / .05);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1016; --surface: #171922; --sunken: #1f222d; --line: #2c303d; --control: #767d91;
    --ink: #eceef5; --muted: #a3a9ba;
    --accent: #aaa6ff; --accent-strong: #c6c3ff; --on-accent: #14122e; --accent-soft: #272551;
    --ok: #74d69b; --ok-soft: #14301f; --warn: #f0bd62; --warn-soft: #36280d; --danger: #ff9d95; --danger-soft: #401a18;
    --series-1: #9a95ff; --series-2: #4fc7ba; --series-3: #f0a04b;
    --shadow: none;
  }
}`;

const TEXT = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: var(--s5); }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1, h2, h3 { line-height: 1.25; letter-spacing: -.015em; font-weight: 650; text-wrap: balance; }
h1 { font-size: var(--title); letter-spacing: -.025em; margin: 0 0 var(--s4); }
h2 { font-size: var(--large); margin: var(--s7) 0 var(--s3); }
h1 + h2 { margin-top: var(--s5); }
h3 { font-size: 1rem; margin: var(--s6) 0 var(--s2); }
h4 { margin: var(--s4) 0 var(--s2); font-size: .9375rem; }
p, ul, ol, dl, form, pre, table, figure, fieldset { margin: 0 0 var(--s4); }
ul, ol { padding-left: 1.25rem; }
li { margin: var(--s2) 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
small, .small { font-size: var(--small); }
.muted, .lead { color: var(--muted); }
.lead { font-size: 1.0625rem; margin-bottom: var(--s5); }
.lead strong { color: var(--ink); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: .875em; background: var(--sunken); padding: .15em .4em; border-radius: 5px; overflow-wrap: anywhere; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
pre {
  background: var(--sunken); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--s4);
  overflow-x: auto; font-size: var(--small); line-height: 1.55;
}
pre code { font-size: inherit; padding: 0; background: none; overflow-wrap: normal; }
hr { border: 0; border-top: 1px solid var(--line); margin: var(--s6) 0; }
:focus-visible, [type=date]:focus-within, [type=time]:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
:target { scroll-margin-top: var(--s5); }
.hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}`;

const FRAME = `
.skip { position: absolute; left: var(--s4); top: -4rem; padding: var(--s2) var(--s4); background: var(--surface); z-index: 1; }
.skip:focus { top: var(--s2); }
.top { border-bottom: 1px solid var(--line); background: var(--surface); }
.top > div {
  max-width: 76rem; margin: 0 auto; padding: var(--s3) var(--s5);
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4);
}
.brand { display: inline-flex; align-items: center; gap: var(--s2); font-weight: 650; letter-spacing: -.02em; color: var(--ink); }
.brand svg { width: 1.75rem; height: 1.125rem; fill: none; stroke: var(--accent); stroke-width: 3; }
a.brand { text-decoration: none; }
.who { margin-left: auto; display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4); font-size: var(--small); min-width: 0; }
.who form { margin: 0; }
.who bdi { color: var(--muted); overflow-wrap: anywhere; }
nav a { color: var(--muted); text-decoration: none; padding: var(--s1) .375rem; border-radius: 6px; font-size: var(--small); line-height: 1.5; }
nav a:hover { background: var(--sunken); color: var(--ink); }
nav a[aria-current] { color: var(--accent-strong); background: var(--accent-soft); font-weight: 600; }
nav { display: flex; flex-wrap: wrap; gap: var(--s1); }
.page { max-width: 46rem; margin: 0 auto; padding: var(--s6) var(--s5) var(--s8); }
.page.wide { max-width: 76rem; }
.wide p, .wide .notice, .wide textarea, .wide main > ul, .wide main > ol { max-width: 46rem; }
main { min-width: 0; }
.page.card { max-width: 34rem; padding-top: var(--s8); }
.card main, section.card {
  background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); padding: var(--s6);
}
section.card { margin: 0 0 var(--s5); padding: var(--s5); }
section.card > :is(h2, h3):first-child { margin-top: 0; }
.card main h2 { margin-top: var(--s5); }
.card main > :last-child, section.card > :last-child { margin-bottom: 0; }
@media (min-width: 62rem) {
  .sided { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: var(--s7); }
  .side { flex-direction: column; flex-wrap: nowrap; position: sticky; top: var(--s6); align-self: start; }
}
@media (max-width: 62rem) { .side { margin-bottom: var(--s6); } }
@media (max-width: 40rem) {
  .page, .top > div { padding-left: var(--s4); padding-right: var(--s4); }
  .top > div { column-gap: var(--s3); }
  .top nav { order: 1; flex: 0 0 calc(100% + var(--s4)); margin: 0 calc(-1 * var(--s2)); }
  .who { flex: 1 1 auto; flex-wrap: nowrap; justify-content: space-between; }
  .who form { flex: none; }
  .page.card { padding-top: var(--s5); }
  .card main { padding: var(--s5) var(--s4); }
  section.card { padding: var(--s4); }
}`;

const FORMS = `
button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); min-height: 2.5rem; padding: var(--s1) var(--s4);
  font-family: inherit; font-weight: 600; font-size: .9375rem; line-height: 1.3; border: 1px solid transparent; border-radius: 8px; cursor: pointer;
  background: var(--accent); color: var(--on-accent); text-decoration: none; text-align: center; overflow-wrap: anywhere;
}
button:hover, .button:hover { background: var(--accent-strong); color: var(--on-accent); }
.quiet, .quiet:hover { background: var(--surface); color: var(--ink); border-color: var(--control); }
.quiet:hover { background: var(--sunken); }
.danger, .danger:hover { background: var(--surface); color: var(--danger); border-color: var(--danger); }
.danger:hover { background: var(--danger-soft); }
.tiny { min-height: 2rem; padding: 0 var(--s3); font-size: var(--small); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s3) var(--s4); margin: var(--s5) 0 0; }
.actions form { margin: 0; }
label, legend, .label { font-weight: 600; font-size: .9375rem; }
.field { margin: 0 0 var(--s5); }
.field > label, .field > .label { display: block; margin-bottom: var(--s1); }
.hint { color: var(--muted); font-size: var(--small); margin: 0 0 var(--s2); font-weight: 400; }
.error { color: var(--danger); font-size: var(--small); font-weight: 600; margin: var(--s1) 0 0; }
input, select, textarea {
  font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--control); border-radius: 8px;
  padding: .4rem var(--s3); min-height: 2.5rem; width: 100%; max-width: 28rem;
}
input:not([type=checkbox]):not([type=radio]), select { height: 2.5rem; }
textarea { max-width: 100%; min-height: 6rem; display: block; }
::placeholder { color: var(--muted); opacity: 1; }
select { padding-right: var(--s2); }
[type=time], [type=number], [type=date], .short { width: auto; min-width: 7rem; max-width: 100%; }
[type=checkbox], [type=radio] { width: 1.125rem; height: 1.125rem; min-height: 0; padding: 0; margin: .25em 0 0; flex: none; accent-color: var(--accent); }
[type=url] { max-width: 46rem; }
[aria-invalid=true] { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger); }
.check { display: flex; gap: var(--s3); align-items: flex-start; font-weight: 400; font-size: 1rem; padding: var(--s1) 0; }
fieldset { border: 0; padding: 0; min-width: 0; }
.check + fieldset { margin-top: var(--s5); }
legend { padding: 0; margin-bottom: var(--s2); }
.line { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: flex-end; }
.line .field { margin: 0; }
.choice { list-style: none; padding: 0; }
.choice li { margin: 0; overflow-wrap: anywhere; }
@media (pointer: coarse) {
  button, .button, .tiny, input:not([type=checkbox]):not([type=radio]), select { min-height: 2.75rem; }
  nav a { padding: var(--s2); }
}`;

const PARTS = `
.notice { border: 1px solid var(--line); border-left: 4px solid var(--accent); background: var(--surface); border-radius: var(--radius); padding: var(--s3) var(--s4); margin: 0 0 var(--s5); }
.notice > :last-child { margin-bottom: 0; }
.notice > :first-child { margin-top: 0; }
.notice strong:first-child { display: block; }
.notice.ok { border-left-color: var(--ok); background: var(--ok-soft); }
.notice.warn { border-left-color: var(--warn); background: var(--warn-soft); }
.notice.bad { border-left-color: var(--danger); background: var(--danger-soft); }
.badge { display: inline-block; padding: .1em .6em; border-radius: 99px; font-size: .8125rem; line-height: 1.5; font-weight: 600; background: var(--sunken); color: var(--muted); white-space: nowrap; }
.badge.ok { background: var(--ok-soft); color: var(--ok); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--danger-soft); color: var(--danger); }
.badge.info { background: var(--accent-soft); color: var(--accent-strong); }
.empty { border: 1px dashed var(--control); border-radius: var(--radius); padding: var(--s6) var(--s5); text-align: center; color: var(--muted); margin: 0 0 var(--s4); }
.empty strong { display: block; color: var(--ink); }
.empty > p { text-wrap: balance; margin-left: auto; margin-right: auto; }
.empty > :last-child { margin-bottom: 0; }
.rows { list-style: none; padding: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s4); margin: 0; padding: var(--s3) var(--s4); }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li > div { min-width: 0; flex: 1 1 14rem; overflow-wrap: anywhere; }
.rows form, .rows p { margin: 0; }
.facts { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: var(--s2) var(--s5); }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.stats, .wide main > .stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: var(--s4); padding: 0; list-style: none; margin-bottom: var(--s5); max-width: none; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: var(--s5); }
.cards > section.card { margin: 0; }
.written { white-space: pre-line; }
.stats > * { margin: 0; padding: var(--s4); border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.stats b { display: block; font-size: 1.5rem; line-height: 1.3; letter-spacing: -.02em; }
.mark { width: 3rem; height: 3rem; display: block; margin: 0 0 var(--s4); fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; color: var(--accent); }
.mark.ok { color: var(--ok); }
.mark.warn { color: var(--warn); }
.mark.bad { color: var(--danger); }
.mark circle { fill: var(--sunken); stroke: none; }
.mark.ok circle { fill: var(--ok-soft); }
.mark.warn circle { fill: var(--warn-soft); }
.mark.bad circle { fill: var(--danger-soft); }
.acts { display: flex; flex-wrap: wrap; align-items: flex-start; gap: var(--s3); margin: 0 0 var(--s5); }
.acts > details { margin: 0; }
.acts > details > summary { list-style: none; }
.acts > details > summary::-webkit-details-marker { display: none; }
.acts > details[open] { order: 1; flex: 1 1 100%; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); padding: var(--s4); }
.acts > details[open] > summary { margin-bottom: var(--s4); }
.acts form { max-width: 46rem; }
.acts form, .acts form > :last-child { margin-bottom: 0; }
details { margin: 0 0 var(--s4); }
summary { cursor: pointer; font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; font-weight: 600; padding-bottom: var(--s2); }
th, td { text-align: left; vertical-align: top; padding: var(--s2) var(--s4) var(--s2) 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--muted); font-size: var(--small); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; }
td form { margin: 0; }
@media (min-width: 62rem) { td time { white-space: nowrap; } td .address { min-width: 15rem; } }
.number { text-align: right; }
svg text { fill: var(--muted); font: 12px system-ui, sans-serif; }
.chart { width: 100%; max-width: 32rem; height: auto; display: block; margin: 0 0 var(--s3); }
.meter { width: 100%; height: .625rem; border-radius: 99px; display: block; margin: 0 0 var(--s3); }
.meter .rail { fill: var(--sunken); }
.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: var(--small); min-height: 0; field-sizing: content; overflow-wrap: anywhere; }
.chart text { font-size: 13px; }
.chart .axis { stroke: var(--line); }
.series-1 { fill: var(--series-1); } .series-2 { fill: var(--series-2); } .series-3 { fill: var(--series-3); }
@media (max-width: 40rem) {
  form.line { row-gap: var(--s3); }
  form.line .field { flex: 1 1 100%; }
  form.line .field :is(input, select) { width: 100%; max-width: none; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: var(--s3); }
  table, caption, tbody, tr, th, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { border: 1px solid var(--line); border-radius: var(--radius); padding: var(--s2) var(--s4); margin-bottom: var(--s3); background: var(--surface); }
  th, td, .number { border: 0; padding: var(--s1) 0; text-align: left; }
  td[data-label] { display: flow-root; padding-left: 5.25rem; }
  td[data-label]::before { content: attr(data-label); float: left; width: 4.75rem; margin-left: -5.25rem; color: var(--muted); font-size: .8125rem; line-height: 1.5rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }`;

/** Joins styles into one line without the spaces that CSS does not need. */
export const oneLine = (...styles: string[]) =>
  styles
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?|([,:]) /g, '$1$2')
    .trim();

/** Style of all pages. The documentation has some more of its own. */
export const STYLE = oneLine(
  TOKENS,
  TEXT,
  FRAME,
  FORMS,
  PARTS,
  WEEK_STYLE,
  ME_STYLE,
  PROPOSAL_STYLE,
  DASHBOARD_STYLE,
  CONSENT_STYLE,
);
