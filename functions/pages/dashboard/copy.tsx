import type { Child } from 'hono/jsx';
import { Field } from '../components.tsx';

/** Shows an id or an address. The page's script adds a button that copies it. `what` names the text on the button. */
export const Copied = ({ what, children }: { what: string; children: string }) => (
  <code data-copy={what}>{children}</code>
);

interface CopyFieldProps {
  id: string;
  label: Child;
  what: string;
  value: string;
}

/**
 * Shows a text to copy in a read-only field with two lines, so that all of it is visible. The page's script adds a
 * button that copies the text. `what` names the text on the button.
 */
export const CopyField = ({ id, label, what, value }: CopyFieldProps) => (
  <Field id={id} label={label}>
    <textarea id={id} readonly rows={2} class="code" data-copy={what}>
      {value}
    </textarea>
  </Field>
);

/**
 * Script that adds a copy button to each text that names what it is. A live region tells screen readers that the text
 * was copied. Without the script, or where the browser forbids copying, there is no button that does nothing.
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
