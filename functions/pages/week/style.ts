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
