/**
 * The styles of documentation pages beyond those of every page: names do not wrap, and tables become cards on a phone.
 */
export const DOCS_STYLE = `
.sided code { padding: .1em .25em; box-shadow: 0 0 0 1px var(--line); }
.sided pre { tab-size: 2; }
.sided pre code { padding: 0; box-shadow: none; }
@media (min-width: 40.01rem) {
  .sided :is(th, td), .sided td code { overflow-wrap: break-word; }
  .sided :is(p, li) code { white-space: nowrap; }
}
@media (max-width: 40rem) {
  .sided td:first-child[data-label] { padding-left: 0; font-weight: 600; }
  .sided td:first-child[data-label]::before { display: none; }
}`;
