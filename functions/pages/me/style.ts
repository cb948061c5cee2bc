export const ME_STYLE = `
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
