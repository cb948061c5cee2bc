import type { Child } from 'hono/jsx';
import { Field } from '../components.tsx';

/** Shows an id or an address. The page's script adds a button that copies it. `what` names the text on the button. */
export const Copied = ({ what, children }: { what: string; children: string }) => (
  <code data-copy={what}>{children}</code>
);

/** All of the two lines are visible. The script adds a copy button, on which `what` names the text. */
export const CopyField = ({ id, label, what, value }: { id: string; label: Child; what: string; value: string }) => (
  <Field id={id} label={label}>
    <textarea id={id} readonly rows={2} class="code" data-copy={what}>
      {value}
    </textarea>
  </Field>
);

/**
 * A live region tells screen readers of the copy. There is no button without the script, or where copying is forbidden.
 */
export const COPY_SCRIPT = `addEventListener('DOMContentLoaded', () => {
  if (!navigator.clipboard) return;
  const said = document.createElement('p');
  said.className = 'hidden';
  said.setAttribute('aria-live', 'polite');
  document.querySelector('main').append(said);
  document.querySelectorAll('[data-copy]').forEach((shown) => {
    const button = document.createElement('button');
    const about = document.createElement('span');
    button.type = 'button';
    button.className = 'quiet copy';
    about.className = 'hidden';
    about.textContent = ' the ' + shown.dataset.copy;
    button.append('Copy', about);
    button.onclick = async () => {
      const write = navigator.clipboard.writeText(shown.value ?? shown.textContent);
      const word = await write.then(() => 'Copied', () => 'Not copied');
      button.firstChild.data = said.textContent = word;
      setTimeout(() => { button.firstChild.data = 'Copy'; said.textContent = ''; }, 2000);
    };
    shown.after(' ', button);
  });
});`
  .split('\n')
  .map((line) => line.trim())
  .join('\n');
