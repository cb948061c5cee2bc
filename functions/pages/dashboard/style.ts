/**
 * The folded menu and folded filters always show on a wider screen, and an opened action's form stands below all the buttons. Without
 * `::details-content`, filters fold everywhere, and an opened action's button moves to its form.
 */
export const DASHBOARD_STYLE = `
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
