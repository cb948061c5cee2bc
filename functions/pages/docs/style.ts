import { oneLine } from '../base-style.ts';

/** On a phone tables become cards, and so do lists beside an operation's code. On a narrow screen the pages fold. */
export const DOCS_STYLE = oneLine(`
.sided code { padding: .1em .25em; box-shadow: 0 0 0 1px var(--line); }
.sided pre { tab-size: 2; }
.sided pre code { padding: 0; box-shadow: none; }
.sample { position: relative; margin: 0 0 var(--s4); }
.sample pre { margin: 0; }
.sample > p { margin: 0 0 var(--s1); }
.sample > .copy { min-height: 1.75rem; padding: 0 var(--s2); grid-area: 1 / 2; margin: var(--s2); }
.sample:not(.tabs):has(> .copy) { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken); }
.sample:has(> .copy) > p { align-self: center; margin: 0; padding: 0 var(--s4); }
.sample:not(.tabs):has(> .copy) > pre { border: 0; }
.sample:not(.tabs):has(> .copy) > p + pre { grid-area: 2 / 1 / auto / -1; padding-top: 0; }
.tabs > fieldset { margin: 0; display: flex; gap: var(--s1); border: 1px solid var(--line); border-bottom: 0; border-radius: var(--radius) var(--radius) 0 0; background: var(--surface); padding: var(--s1) var(--s2); }
.tabs pre { border-radius: 0 0 var(--radius) var(--radius); }
.tabs > .copy { position: absolute; top: .375rem; right: var(--s2); margin: 0; }
.tabs label { position: relative; padding: var(--s1) var(--s3); border-radius: 6px; font-size: var(--small); color: var(--muted); cursor: pointer; }
.tabs label:has(:checked) { color: var(--accent-strong); background: var(--accent-soft); }
.tabs label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 1px; }
.tabs input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.tabs:has([value=sh]:checked) pre:not([data-language=sh]),
.tabs:has([value=js]:checked) pre:not([data-language=js]),
.tabs:has([value=python]:checked) pre:not([data-language=python]),
.tabs:has([value=go]:checked) pre:not([data-language=go]) { display: none; }
.contents p { margin: var(--s4) 0 var(--s1); padding: 0 var(--s2); font-size: .8125rem; font-weight: 650; }
.contents p:first-child { margin-top: 0; }
.contents a { display: block; }
.contents .within { margin-left: var(--s3); }
.turn { justify-content: space-between; margin-top: var(--s7); padding-top: var(--s4); border-top: 1px solid var(--line); }
.turn a { font-size: 1rem; }
.turn a:last-child { text-align: right; }
.turn small { display: block; font-weight: 400; }
@media (min-width: 62rem) {
  .side > [popovertarget] { display: none; }
  button.find { margin-bottom: var(--s4); }
  .contents { display: block; position: static; border: 0; padding: 0; margin: 0; background: none; color: inherit; width: auto; height: auto; overflow: visible; }
  .sided:has(.contents) { grid-template-columns: 14rem minmax(0, 1fr); }
  div.side { max-height: calc(100vh - var(--s7)); overflow-y: auto; }
}
@media (max-width: 62rem) {
  div.side { display: flex; flex-wrap: wrap; gap: var(--s3); }
  .contents[popover] { inset: 0 auto 0 0; height: 100%; max-height: none; margin: 0; border: 0; border-right: 1px solid var(--line); padding: var(--s5); background: var(--surface); color: inherit; width: min(20rem, 90vw); }
  .contents { display: block; }
  .contents:not(:popover-open) { display: none; }
  .contents a { padding-top: var(--s2); padding-bottom: var(--s2); }
  .contents::backdrop { background: rgb(0 0 0 / .4); }
}
td.date { white-space: nowrap; }
@media (max-width: 40rem) { .sample:not(.tabs):has(> .copy) > pre { grid-area: 2 / 1 / auto / -1; padding-top: 0; } }
button.find[hidden] { display: none; }
button.find kbd { margin-left: var(--s2); border: 1px solid var(--line); border-radius: 4px; padding: 0 .35em; color: var(--muted); }
dialog.find { width: min(44rem, calc(100vw - 2 * var(--s4))); max-width: none; max-height: 84vh; margin: 6vh auto auto; border: 1px solid var(--line); border-radius: 14px; padding: var(--s4); background: var(--surface); color: inherit; }
dialog.find::backdrop { background: rgb(0 0 0 / .4); }
dialog.find form { display: flex; gap: var(--s2); margin: 0 0 var(--s2); }
dialog.find input { flex: 1; min-width: 0; max-width: none; }
dialog.find p { margin: 0 0 var(--s2); }
dialog.find ol { list-style: none; margin: 0; padding: 0; }
dialog.find li { margin: 0; border-top: 1px solid var(--line); }
dialog.find a { display: block; padding: var(--s3) var(--s2); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
dialog.find :is(strong, small, a span) { display: block; }
dialog.find a span { font-size: var(--small); }
dialog.find a:is(:hover, :focus-visible) { background: var(--sunken); }
dialog.find mark { background: var(--accent-soft); color: inherit; }
.outlined { max-width: 46rem; }
.outlined > div > :first-child, .beside > div > :first-child { margin-top: 0; }
blockquote { margin: 0 0 var(--s4); border-left: 3px solid var(--accent); padding: var(--s2) var(--s4); background: var(--surface); }
blockquote > :last-child { margin: 0; }
.outline { display: none; }
.outline p { margin: 0 0 var(--s1); padding: 0 var(--s2); font-size: .8125rem; font-weight: 650; }
.outline a { display: block; }
@media (min-width: 75rem) {
  .page:has(.outlined) { max-width: 88rem; }
  .outlined { max-width: none; display: grid; grid-template-columns: minmax(0, 48rem) 13rem; gap: var(--s7); justify-content: space-between; }
  .outline { display: block; position: sticky; top: var(--s6); align-self: start; max-height: calc(100vh - var(--s7)); overflow-y: auto; }
  .page:has(.beside) { max-width: 96rem; }
  .beside { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: var(--s6); align-items: start; }
  .beside > :last-child { position: sticky; top: var(--s5); }
  .beside > :last-child pre { max-height: calc(100vh - var(--s7)); }
}
@media (min-width: 40.01rem) {
  .sided :is(th, td), .sided td code { overflow-wrap: break-word; }
  .sided :is(p, li) code { white-space: nowrap; }
  .beside .deck, .beside .deck :is(tbody, td) { display: block; }
  .beside .deck thead { position: absolute; clip-path: inset(50%); }
  .beside .deck tr { display: flex; flex-wrap: wrap; gap: 0 var(--s3); border-top: 1px solid var(--line); padding: var(--s3) 0; }
  .beside .deck td { border: 0; padding: 0; color: var(--muted); overflow-wrap: anywhere; }
  .beside .deck td:first-child { font-weight: 600; color: inherit; }
  .beside .deck td:last-child { flex: 1 0 100%; color: inherit; }
}`);
