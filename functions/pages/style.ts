import { BASE_STYLE, oneLine, WEEK_STYLE } from './base-style.ts';

const CONSENT_STYLE = `
.card main:has(.ticks) > h1 {
  font-size: 1.5rem; overflow-wrap: anywhere; overflow: hidden;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4;
}
.one-line { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ticks { list-style: none; padding: 0; }
.ticks li { display: flex; gap: var(--s3); line-height: 1.4; }
.ticks svg { flex: none; width: 1.25rem; height: 1.4em; fill: none; stroke: var(--ok); stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.ticks + form { margin: var(--s4) 0 var(--s3); }
.ticks + form button { width: 100%; min-height: 3rem; }`;

const CARDS = `
.page.card { max-width: 34rem; padding-top: var(--s8); }
.card main, section.card {
  background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); padding: var(--s6);
}
section.card { margin: 0 0 var(--s5); padding: var(--s5); }
section.card > :is(h2, h3):first-child { margin-top: 0; }
.card main h2 { margin-top: var(--s5); }
.card main > :last-child, section.card > :last-child { margin-bottom: 0; }
.platform { display: flex; align-items: center; gap: var(--s3); margin: 0 0 var(--s3); font-weight: 650; }
.platform bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.platform img { flex: none; width: 3rem; height: 3rem; object-fit: contain; border-radius: 8px; }
.who { margin-left: auto; display: flex; align-items: center; gap: var(--s2) var(--s4); font-size: var(--small); min-width: 0; }
.who form { margin: 0; flex: none; }
.who bdi { color: var(--muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
@media (min-width: 62rem) { .who { flex: 1 12rem; justify-content: flex-end; } }
@media (max-width: 40rem) {
  .who { flex: 1 1 auto; justify-content: space-between; }
  .page.card { padding-top: var(--s5); }
  .card main { padding: var(--s5) var(--s4); }
  .card h1 { font-size: 1.5rem; }
  section.card { padding: var(--s4); }
}`;

const FORMS = `
.danger, .danger:hover { background: var(--surface); color: var(--danger); border-color: var(--danger); }
.danger:hover { background: var(--danger-soft); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s3) var(--s4); margin: var(--s5) 0 0; }
.actions form { margin: 0; }
.field { margin: 0 0 var(--s5); }
.field > label, .field > .label { display: block; margin-bottom: var(--s1); }
.hint { color: var(--muted); font-size: var(--small); margin: 0 0 var(--s2); font-weight: 400; }
.error { color: var(--danger); font-size: var(--small); font-weight: 600; margin: var(--s1) 0 0; }
textarea { max-width: 100%; min-height: 6rem; display: block; }
select { padding-right: var(--s2); }
[type=time], [type=number], [type=date], .short { width: auto; min-width: 7rem; max-width: 100%; }
[type=checkbox], [type=radio] { width: 1.125rem; height: 1.125rem; min-height: 0; padding: 0; margin: .25em 0 0; flex: none; accent-color: var(--accent); }
[type=url] { max-width: 46rem; }
[aria-invalid=true] { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger); }
.check { display: flex; gap: var(--s3); align-items: flex-start; font-weight: 400; font-size: 1rem; padding: var(--s1) 0; }
.check + fieldset { margin-top: var(--s5); }
.line { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: flex-end; }
.line .field { margin: 0; }
.choice { list-style: none; padding: 0; }
.choice li { margin: 0; overflow-wrap: anywhere; }`;

const PARTS = `
:root { --series-1: #4f46d8; --series-2: #0f7f74; --series-3: #b85c00; }
@media (prefers-color-scheme: dark) { :root { --series-1: #9a95ff; --series-2: #4fc7ba; --series-3: #f0a04b; } }
.notice { border: 1px solid var(--line); border-left: 4px solid var(--accent); background: var(--surface); border-radius: var(--radius); padding: var(--s3) var(--s4); margin: 0 0 var(--s5); }
.notice > :last-child { margin-bottom: 0; }
.notice > :first-child { margin-top: 0; }
.notice > form { margin-top: var(--s2); }
.notice strong:first-child { display: block; }
.notice.ok { border-left-color: var(--ok); background: var(--ok-soft); }
.notice.warn { border-left-color: var(--warn); background: var(--warn-soft); }
.notice.bad { border-left-color: var(--danger); background: var(--danger-soft); }
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
td form { margin: 0; }
@media (min-width: 62rem) { td time { white-space: nowrap; } td .address { min-width: 15rem; } td .reply { min-width: 11rem; } }
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
  .facts { grid-template-columns: fit-content(5.5rem) minmax(0, 1fr); gap: var(--s2) var(--s3); }
  .facts dt { font-size: var(--small); line-height: 1.7; overflow-wrap: anywhere; }
  .facts dd { font-size: .9375rem; }
  .headers { display: block; }
  .headers dd { margin-bottom: var(--s3); }
}`;

const ME_STYLE = `
.day, .block { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: flex-start; padding: var(--s2) 0; margin: 0; }
.day + .field { margin-top: var(--s5); }
.day .check { width: 9rem; padding: var(--s2) 0; }
.day > div { flex: 1 1 16rem; }
.day:has([type=checkbox]:not(:checked)) .times input:not(:focus) { color: var(--muted); }
.times { display: flex; gap: var(--s2); align-items: center; }
.block + .block { border-top: 1px solid var(--line); }
.block .reason { flex: 1 1 12rem; max-width: 28rem; }
.block .check { padding: var(--s2) 0; }
.weights { list-style: none; padding: 0; }
.weights li { display: grid; grid-template-columns: 13rem 8rem minmax(0, 1fr); gap: 0 var(--s4); align-items: center; }
.weights svg { width: 100%; height: .75rem; }
.weights .rail { fill: var(--sunken); }
.weights line { stroke: var(--ink); stroke-width: 2; }
.field > .line { column-gap: var(--s5); }
.field > .line .check { gap: var(--s2); }
#api-key { display: block; padding: var(--s3); user-select: all; }
@media (max-width: 40rem) {
  .day .check { width: 100%; padding: 0; }
  .day > div { flex-basis: 100%; }
  .block > div { flex: 1 0 100%; }
  .times input { flex: 1; min-width: 0; padding: .4rem var(--s2); }
  .field > .line { flex-direction: column; align-items: flex-start; gap: 0; }
  .weights li { grid-template-columns: minmax(0, 1fr); }
}`;

const PROPOSAL_STYLE = `
.zone { display: flex; flex-wrap: wrap; gap: 0 var(--s3); font-size: var(--small); color: var(--muted); margin: 0 0 var(--s3); }
.facts .zone { margin: 0; }
.zone strong { color: var(--ink); }
.offer { border: 1px solid var(--control); border-radius: 12px; margin: 0 0 var(--s3); }
.offer > summary { display: flex; align-items: center; justify-content: space-between; gap: var(--s3); padding: var(--s3) var(--s4); min-height: 3.25rem; list-style: none; font-weight: 400; border-radius: 11px; }
.offer > summary::-webkit-details-marker { display: none; }
.offer > summary > span > * { display: block; }
.offer > summary::after { content: ""; flex: none; width: .55rem; height: .55rem; margin-right: .15rem; border: solid var(--muted); border-width: 0 2px 2px 0; transform: rotate(45deg) translate(-2px, -2px); }
.offer[open] > summary::after { transform: rotate(-135deg) translate(-2px, -2px); }
.offer > summary:hover { background: var(--sunken); }
.offer > summary:focus-visible { outline-offset: -3px; border-radius: 11px; }
.offer[open] { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.offer[open] > summary:hover { background: none; }
.offer > form { margin: 0; padding: var(--s2) var(--s4) var(--s4); }
.actions + .offer, .actions + p { margin-top: var(--s5); }
.offer > form p { overflow-wrap: anywhere; }
.offer > form button { width: 100%; min-height: 3rem; }
.offer > summary > span { flex: 1; min-width: 0; }
.offer > summary:has(.drawing) { align-items: flex-start; }
.offer > summary:has(.drawing)::after { margin-top: var(--s2); }
.offer .drawing { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0; container-type: inline-size; margin: var(--s2) calc(-.7rem - var(--s3)) 0 0; }
.offer .names { display: contents; }
.offer .names > :not(.place) { display: none; }
.offer .names > :last-child { order: 1; }
.offer .free { color: var(--ok); font-weight: 600; }
.offer .hours { font-size: var(--large); font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.offer > form button + button { margin-top: var(--s3); }
.own-calendar { margin: 0 0 var(--s4); }
.own-calendar button { width: 100%; min-height: 3rem; }
.own-calendar p { margin: var(--s2) 0 0; }
.own-calendar p:first-of-type:not(:last-child) { margin: 0 0 var(--s2); }
.instead { margin: 0 0 var(--s5); }
.instead ul { margin: 0 0 var(--s3); padding-left: var(--s5); }
.instead button { width: 100%; min-height: 3rem; }
.offer.none { border-color: var(--line); box-shadow: none; }
.offer.none > summary { color: var(--accent); font-weight: 600; }
.offer.none[open] { border-color: var(--control); }`;

/**
 * The folded menu and folded filters always show on a wider screen, and an opened action's form stands below all the buttons. Without
 * `::details-content`, filters fold everywhere, and an opened action's button moves to its form.
 */
const DASHBOARD_STYLE = `
.menu { margin: 0; }
time, td, .facts dd, .stats b { font-variant-numeric: tabular-nums; }
h1:has(+ .clock) { margin-bottom: var(--s1); }
.clock { color: var(--muted); font-size: var(--small); }
.clock + h2, .clock + section:not([class]) > h2 { margin-top: var(--s5); }
.stats .bad { color: var(--danger); }
.actions + .facts { margin-top: var(--s5); }
pre, pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
.hint.after { margin: 0 0 var(--s5); }
.cards > section:not(:has(svg)) { align-self: start; }
.hours { max-width: 32rem; }
.clock ~ p, .clock ~ * p { text-wrap: pretty; }
.wide p.line { align-items: center; max-width: none; }
.actions.counts { margin: 0 0 var(--s3); }
td > .check { padding: 0; }
td > .small { max-width: 18rem; }
.filters > summary { margin-bottom: var(--s3); }
@supports selector(::details-content) { @media (min-width: 40rem) {
  .menu > summary, .filters > summary { display: none; }
  .menu::details-content, .filters::details-content { content-visibility: visible; }
} }
[data-copy] + .copy { min-height: 1.75rem; padding: 0 var(--s2); font-size: .8125rem; }
@supports selector(::details-content) {
  .acts > details[open] { display: contents; }
  .acts > details[open] > summary { margin: 0; background: var(--sunken); }
  .acts > details[open]::details-content { order: 1; flex: 1 1 100%; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); padding: var(--s4); }
}
@media (max-width: 40rem) {
  h1:has(+ .clock) { font-size: 1.375rem; }
  .top .menu { order: 1; flex: 1 0 100%; }
  .menu > summary { padding: var(--s2) 0; }
}
textarea + .copy { margin-top: var(--s2); }
@media (min-width: 40rem) { .stats:has(> :nth-child(8):last-child) { grid-template-columns: repeat(4, minmax(0, 1fr)); } }`;

export const STYLE = `${BASE_STYLE}${oneLine(
  CARDS,
  FORMS,
  PARTS,
  WEEK_STYLE,
  ME_STYLE,
  PROPOSAL_STYLE,
  DASHBOARD_STYLE,
  CONSENT_STYLE,
)}`;
