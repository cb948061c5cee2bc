/**
 * Shows the language that a reader chose in every block and on the next pages. Tabs work without scripts. An address
 * that names a row goes to the page that the row's name leads to.
 */
export const SCRIPT = `addEventListener('DOMContentLoaded', () => {
  const row = document.getElementById(location.hash.slice(1));
  const onward = row?.matches('tr') && row.querySelector('td:first-child > a');
  if (onward) location.replace(onward.href);
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);
  const choose = (language) => each('.tabs', (form) => {
    const one = form.querySelector('input[value="' + language + '"]');
    if (one) one.checked = true;
  });
  try { choose(localStorage.getItem('docs-language') ?? 'sh'); } catch {}
  addEventListener('change', ({ target }) => {
    if (!target.matches('.tabs input')) return;
    const { top } = target.getBoundingClientRect();
    choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
    try { localStorage.setItem('docs-language', target.value); } catch {}
  });
  if (navigator.clipboard) each('.sample', (block) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet tiny copy';
    button.textContent = 'Copy';
    button.onclick = async () => {
      const shown = [...block.querySelectorAll('pre')].find((pre) => pre.offsetParent);
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    };
    block.append(button);
  });
});`
  .split('\n')
  .map((line) => line.trim())
  .join('\n');
