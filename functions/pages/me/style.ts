/** The rows of a person's preferences, and the bars of what was learned. */
export const ME_STYLE = `
.day, .block { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: flex-start; padding: var(--s2) 0; margin: 0; }
.day + .field { margin-top: var(--s5); }
.day .check { width: 9rem; padding: var(--s2) 0; }
.day > div { flex: 1 1 16rem; }
.times { display: flex; gap: var(--s2); align-items: center; }
.block + .block { border-top: 1px solid var(--line); }
.block .reason { flex: 1 1 12rem; }
.block .check { padding: var(--s2) 0; }
.weights { list-style: none; padding: 0; }
.weights li { display: grid; grid-template-columns: 12rem 8rem minmax(0, 1fr); gap: 0 var(--s4); align-items: center; }
.weights svg { width: 100%; height: .75rem; }
.weights .rail { fill: var(--sunken); }
.weights line { stroke: var(--control); stroke-width: 2; }
@media (max-width: 40rem) {
  .day .check { width: 100%; padding: 0; }
  .day > div { flex-basis: 100%; }
  .block .weekday, .block .reason { flex: 1 0 100%; }
  .times input { min-width: 0; padding: .4rem var(--s2); }
  .weights li { grid-template-columns: minmax(0, 1fr); }
}`;
