/**
 * Sizes come from one scale (`--s1` to `--s8`). Colors are named for their purpose, light and dark: text has a contrast
 * of at least 4.5 on each background, a control's border 3. The security policy allows only this style and no style
 * attributes, so drawings use classes and SVG attributes.
 */
const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: #fbfbfd; --surface: #fff; --sunken: #f3f4f8; --line: #e2e4ec; --control: #858b9d;
  --ink: #14161d; --muted: #565c6d;
  --accent: #4036c9; --accent-strong: #2f2799; --on-accent: #fff; --accent-soft: #eeedfd;
  --ok: #12643a; --ok-soft: #e4f4ea; --warn: #7d4b00; --warn-soft: #fdf1d8; --danger: #b0201c; --danger-soft: #fdebe9;
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
:focus-visible, [type^=date]:focus-within, [type=time]:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
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
nav a { color: var(--muted); text-decoration: none; padding: var(--s1) .375rem; border-radius: 6px; font-size: var(--small); line-height: 1.5; }
nav a:hover { background: var(--sunken); color: var(--ink); }
nav a[aria-current] { color: var(--accent-strong); background: var(--accent-soft); font-weight: 600; }
nav { display: flex; flex-wrap: wrap; gap: var(--s1); }
.page { max-width: 46rem; margin: 0 auto; padding: var(--s6) var(--s5) var(--s8); }
.page.wide { max-width: 76rem; }
.wide p, .wide .notice, .wide textarea, .wide main > ul, .wide main > ol { max-width: 46rem; }
main { min-width: 0; }
@media (min-width: 62rem) {
  .sided { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: var(--s7); }
  .side { flex-direction: column; flex-wrap: nowrap; position: sticky; top: var(--s6); align-self: start; }
}
@media (max-width: 62rem) { .side { margin-bottom: var(--s6); } }
@media (max-width: 40rem) {
  .page, .top > div { padding-left: var(--s4); padding-right: var(--s4); }
  .top > div { column-gap: var(--s3); }
  .top nav { order: 1; flex: 0 0 calc(100% + var(--s4)); margin: 0 calc(-1 * var(--s2)); }
}`;

const CONTROLS = `
button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); min-height: 2.5rem; padding: var(--s1) var(--s4);
  font-family: inherit; font-weight: 600; font-size: .9375rem; line-height: 1.3; border: 1px solid transparent; border-radius: 8px; cursor: pointer;
  background: var(--accent); color: var(--on-accent); text-decoration: none; text-align: center; overflow-wrap: anywhere;
}
button:hover, .button:hover { background: var(--accent-strong); color: var(--on-accent); }
.quiet, .quiet:hover { background: var(--surface); color: var(--ink); border-color: var(--control); }
.quiet:hover { background: var(--sunken); }
.tiny { min-height: 2rem; padding: 0 var(--s3); font-size: var(--small); }
label, legend, .label { font-weight: 600; font-size: .9375rem; }
input, select, textarea {
  font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--control); border-radius: 8px;
  padding: .4rem var(--s3); min-height: 2.5rem; width: 100%; max-width: 28rem;
}
input:not([type=checkbox]):not([type=radio]), select { height: 2.5rem; }
::placeholder { color: var(--muted); opacity: 1; }
fieldset { border: 0; padding: 0; min-width: 0; }
legend { padding: 0; margin-bottom: var(--s2); }
@media (pointer: coarse) {
  button, .button, .tiny, input:not([type=checkbox]):not([type=radio]), select { min-height: 2.75rem; }
  nav a { padding: var(--s2); }
}
.badge { display: inline-block; padding: .1em .6em; border-radius: 99px; font-size: .8125rem; line-height: 1.5; font-weight: 600; background: var(--sunken); color: var(--muted); white-space: nowrap; }
.badge.ok { background: var(--ok-soft); color: var(--ok); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--danger-soft); color: var(--danger); }
.badge.info { background: var(--accent-soft); color: var(--accent-strong); }`;

/** On a phone, the rows of a `deck` become cards: a title, then the cells one below the other, numbers in a row. */
const TABLES = `
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; font-weight: 600; padding-bottom: var(--s2); }
th, td { text-align: left; vertical-align: top; padding: var(--s2) var(--s4) var(--s2) 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--muted); font-size: var(--small); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; }
:is(th, td):last-child { padding-right: 0; }
.number { text-align: right; }
@media (max-width: 40rem) {
  th, td { padding-right: var(--s3); overflow-wrap: break-word; }
  thead th { white-space: normal; vertical-align: bottom; }
  table:not(.deck) code { overflow-wrap: normal; }
  .deck, .deck :is(caption, tbody, th, td) { display: block; }
  .deck thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .deck tr { position: relative; display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--s3) var(--s4); margin-bottom: var(--s3); background: var(--surface); }
  .deck :is(th, td) { flex: 1 0 100%; min-width: 0; border: 0; padding: 0; text-align: left; overflow-wrap: anywhere; }
  .deck td:empty { display: none; }
  .deck .title, .deck tr:not(:has(> .title)) > :first-child { order: -1; font-weight: 600; }
  .deck :is(small, .small) { font-weight: 400; }
  .deck [data-label] { display: flow-root; padding-left: 5.25rem; }
  .deck [data-label]::before { content: attr(data-label); float: left; width: 4.75rem; margin-left: -5.25rem; color: var(--muted); font-size: .8125rem; line-height: 1.5rem; }
  .deck .number { flex: none; padding: 0; }
  .deck .number::before { float: none; margin: 0 var(--s2) 0 0; }
  .deck .select { position: absolute; inset: var(--s3) var(--s4) auto auto; }
  .deck .select ~ .title { padding-right: var(--s6); }
}`;

export const oneLine = (...styles: string[]) =>
  styles
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?|([,:]) /g, '$1$2')
    .trim();

/** Style of the prerendered pages, such as the documentation, and the beginning of the style of all others. */
export const BASE_STYLE = oneLine(TOKENS, TEXT, FRAME, CONTROLS, TABLES);

/** Has a pale ground, light work hours, dark busy times and green common times. */
export const WEEK_STYLE = `
:root {
  --ground: #e9ebf2; --work: #fff; --edge: #858b9d; --busy: #4d5365; --focus: #8a5bd0; --hold: #3d6fd6; --free: #14804a;
  --free-soft: #d5f0e0; --asked: #c2261f; --pick: #fff; --on-pick: #0c5a33;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #262a37; --work: #3a4052; --edge: #80879b; --busy: #b3b9ca; --focus: #c3a4f7; --hold: #7aa5ff; --free: #35a96f;
    --free-soft: #12301f; --asked: #ff8a80; --pick: #0f1016; --on-pick: #8ef0bb;
  }
}
.week { margin: 0 0 var(--s4); container-type: inline-size; }
.week > details { margin: 0; }
.patterns { position: absolute; }
.days, .legend { list-style: none; padding: 0; }
.days > li { margin: 0; padding: var(--s3) 0; border-top: 1px solid var(--line); }
.days h3 { margin: 0 0 var(--s1); }
.days h3 span { color: var(--muted); font-weight: 400; }
.days .hint { max-width: none; margin: 0 0 var(--s1); }
.drawing { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: var(--s1); }
.drawing > svg { overflow: visible; display: block; }
.drawing > :only-child { grid-column: 1 / -1; }
.names { font-size: .75rem; line-height: 22px; color: var(--ink); }
.names span { display: block; height: 26px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.names .numbered { height: 46px; }
.names .place { height: 18px; line-height: 14px; font-size: .6875rem; color: var(--muted); }
.ground { fill: var(--ground); }
.band.work, .band.day { fill: var(--work); stroke: var(--edge); }
.band.buffer { fill: none; }
.band.holiday, .band.focus, .band.full, .band.never, .band.rather_not, .band.prefer { fill: none; stroke: var(--edge); }
.band.busy { fill: var(--busy); }
.band.hold { fill: var(--hold); }
.band.held { fill: var(--paper); stroke: var(--hold); }
.band.not_searched { fill: var(--ground); }
.band.over { fill: var(--paper); stroke: var(--line); }
.band.free { fill: var(--free); }
.band.too_short { fill: var(--free-soft); stroke: var(--free); stroke-width: 1.5; stroke-dasharray: 3 2; }
.on-holiday { fill: var(--edge); }
.on-focus { fill: var(--focus); }
.on-never, .on-rather_not { fill: var(--asked); }
.on-prefer { stroke: var(--free); fill: none; stroke-width: 1.2; }
.on-full { stroke: var(--busy); fill: none; stroke-width: 1.2; }
.on-buffer { fill: var(--busy); }
.on-hold { fill: var(--paper); }
.on-held { fill: var(--hold); }
.on-not_searched { fill: var(--edge); }
.on-over { fill: var(--edge); opacity: .55; }
.change { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 4 2; }
.hour { text-anchor: middle; fill: var(--muted); font-size: 11px; font-variant-numeric: tabular-nums; }
.hour.first { text-anchor: start; }
.hour.date { font-weight: 650; fill: var(--ink); }
.span { fill: none; stroke: var(--pick); stroke-width: 1.5; }
.span.offered { fill: var(--free); stroke: var(--on-pick); }
.span.asked { stroke: var(--asked); stroke-width: 2.5; }
.sign { overflow: visible; }
.leader { stroke: var(--on-pick); }
circle.pick { fill: var(--pick); stroke: var(--on-pick); stroke-width: 2; }
.against { fill: var(--asked); stroke: var(--paper); stroke-width: 1.5; }
.sign text { text-anchor: middle; font-weight: 700; font-size: 11px; }
.sign .pick-text { fill: var(--on-pick); }
.sign .against-text { fill: var(--paper); }
.legend { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); font-size: var(--small); }
.legend li { display: flex; align-items: center; gap: var(--s2); margin: 0; }
.legend svg { flex: none; }

.why { max-width: 66rem; margin-bottom: var(--s5); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); column-gap: var(--s5); }
.why .line { margin-bottom: var(--s4); align-items: flex-start; gap: var(--s4) var(--s3); }
.why .line .error { max-width: 16rem; }
.pair input { max-width: none; }
.steps nav { gap: var(--s2); }
.nowrap, .week tbody th { white-space: nowrap; }
.week summary + table { margin-top: var(--s2); }
.week caption { color: var(--muted); font-size: var(--small); font-weight: 400; }
.empty ul { list-style: none; padding: 0; }
.steps h2 { margin-top: var(--s5); }
.steps { margin-bottom: var(--s3); display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 var(--s5); }
.clocks, .against-list { list-style: none; padding: 0; }
.clocks li { margin: 0; overflow-wrap: anywhere; }
.against-list li, .picks > li { display: flex; gap: var(--s3); align-items: baseline; overflow-wrap: anywhere; }
.against-list .whose { font-weight: 600; }
.against-list b, .picks > li > b { flex: none; width: 1.5rem; line-height: 1.5rem; text-align: center; font-size: .8125rem; border-radius: 4px; color: var(--paper); background: var(--asked); }
.picks > li { justify-content: flex-start; }
.picks > li > b { border-radius: 50%; color: var(--on-pick); background: var(--pick); border: 2px solid var(--on-pick); line-height: 1.3rem; }
@media (max-width: 40rem) { .against-list .whose { display: block; font-size: .9375rem; } }
@container (max-width: 50rem) { .fine { display: none; } }
@container (min-width: 50rem) {
  .days > li { display: grid; grid-template-columns: 8rem minmax(0, 1fr); column-gap: var(--s4); align-content: start; }
  .days h3 span { display: block; font-size: var(--small); }
  .days .drawing-place { grid-column: 2; grid-row: 1 / span 4; }
  .drawing { grid-template-columns: 6rem minmax(0, 1fr); gap: var(--s2); }
  .hour.first { text-anchor: middle; }
  .sign .loose { transform: none; }
  .leader:has(+ .loose) { display: none; }
}`;
