import type { Fence } from './call.ts';

/** Languages with tabs, by the word after a fence: the name of the tab. */
const LANGUAGES: Readonly<Record<string, string>> = { sh: 'curl', js: 'Node', python: 'Python', go: 'Go' };

export const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const pre = ([language, code]: Fence) =>
  `<pre tabindex="0" data-language="${language}"><code>${escaped(code)}</code></pre>`;

/** Renders code, under what stands after its language, such as the status of an answer. */
const block = ([info, code]: Fence) => {
  const [language = '', ...about] = info.split(' ');
  const title = about.length === 0 ? '' : `<p class="small muted">${escaped(about.join(' '))}</p>`;
  return `<div class="sample">${title}${pre([language, code])}</div>`;
};

/** Renders blocks of code that belong together: as tabs if each is in another language. */
export function codeHtml(fences: readonly Fence[]): string {
  const languages = fences.map(([language]) => language);
  if (fences.length < 2 || new Set(languages).size < fences.length || !languages.every((one) => one in LANGUAGES))
    return fences.map(block).join('');
  const choices = languages.map(
    (language, at) =>
      `<label><input type="radio" name="language" value="${language}"${at === 0 ? ' checked=""' : ''}/>${LANGUAGES[language]}</label>`,
  );
  // The form of each block keeps its radio buttons apart from those of other blocks.
  return `<form class="sample tabs" method="dialog"><fieldset><legend class="hidden">Language</legend>${choices.join('')}</fieldset>${fences.map(pre).join('')}</form>`;
}
