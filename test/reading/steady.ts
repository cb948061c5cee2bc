/**
 * Changes to a text that change nothing of what it asks for. Whoever reads it must come to the same verdict with and
 * without each of them.
 */
export const HARMLESS: readonly [name: string, change: (text: string) => string][] = [
  ['a greeting', (text) => `Hi Bob! ${text}`],
  ['a longer greeting', (text) => `Good morning, hope you had a nice weekend. ${text}`],
  ['a signature', (text) => `${text}\nBest regards,\nAda`],
  ['an unrelated past date', (text) => `We met on Monday last week. ${text}`],
  ['"tbh mate"', (text) => `${bare(text)} tbh mate`],
  ['a trailing reason', (text) => `${bare(text)}, im in court`],
  ['a trailing sentence', (text) => `${bare(text)}. I have a lot on.`],
  ['capitals', (text) => text.toUpperCase()],
];

const bare = (text: string) => text.replace(/[?.!\s]+$/, '');
