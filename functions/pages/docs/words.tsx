import type { Child } from 'hono/jsx';
import { either } from '../../placeholders.ts';

const INLINE = /(`[^`]+`|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*)/;

/** Renders text. Names between backticks become code, `[words](address)` a link, and words between `**` strong. */
export function Words({ children }: { children: string }) {
  return (
    <>
      {children.split(INLINE).map((part, at): Child => {
        if (at % 2 === 0) return part;
        if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
        if (part.startsWith('*')) return <strong>{part.slice(2, -2)}</strong>;
        const [words = '', address = ''] = part.slice(1, -1).split('](');
        return <a href={address}>{words}</a>;
      })}
    </>
  );
}

/** Returns how a developer reaches us, as text for `Words`. */
export const contactUs = ({ supportEmail: to }: { supportEmail: string }) =>
  either('SUPPORT_EMAIL', `write to [${to}](mailto:${to})`, 'contact us');

/** Renders paragraphs, which stand between empty lines. Lines that begin with `- ` are the items of a list. */
export const Prose = ({ children }: { children: string }) => (
  <>
    {children
      .trim()
      .split(/\n\s*\n/)
      .map((part) => part.trim().replaceAll(/\n\s*/g, '\n'))
      .map((part) =>
        part.startsWith('- ') ? (
          <ul>
            {part
              .slice(2)
              .split('\n- ')
              .map((item) => (
                <li>
                  <Words>{item}</Words>
                </li>
              ))}
          </ul>
        ) : (
          <p>
            <Words>{part}</Words>
          </p>
        ),
      )}
  </>
);
