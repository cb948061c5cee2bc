export const PROPOSAL_STYLE = `
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
