export const CONSENT_STYLE = `
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
