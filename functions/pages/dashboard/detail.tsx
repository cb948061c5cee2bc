import type { Context } from 'hono';
import type { AppEnv } from '../../http/env.ts';
import { At } from '../clock.tsx';
import { Badge, Notice } from '../components.tsx';
import { type PAGES, renderDashboard } from './frame.tsx';
import type { Happening } from './life.ts';
import { type FormRefusal, idOf } from './session.ts';

/** Lists what happened to a meeting or a proposal. A link to another meeting is relative to `path`. */
export const History = ({ of, path }: { of: readonly Happening[]; path: string }) => (
  <>
    <h2>What happened</h2>
    <ol class="rows">
      {of.map(({ at, sentence, link, isTrouble }) => (
        <li>
          <span class="muted small">
            <At ms={at} isExact />
          </span>
          <div>
            {isTrouble ? <Badge kind="bad">Failed</Badge> : null} <bdi>{sentence}</bdi>{' '}
            {link === undefined ? null : (
              <a href={link.href.startsWith('/') ? link.href : `${path}/${link.href}`}>{link.text}</a>
            )}
          </div>
        </li>
      ))}
    </ol>
  </>
);

interface Missing {
  what: string;
  more?: string;
  back: string;
  at: (typeof PAGES)[number]['path'];
  status: FormRefusal['status'] | undefined;
}

export const renderMissing = (c: Context<AppEnv>, { what, more, back, at, status = 404 }: Missing) =>
  renderDashboard(
    c,
    { title: `${what.replace(/^./, (first) => first.toUpperCase())} not found`, at, status },
    <>
      <Notice kind="bad">
        Your platform has no {what} with the ID{' '}
        <code>
          <bdi>{idOf(c)}</bdi>
        </code>
        .{more === undefined ? '' : ` ${more}`}
      </Notice>
      <p>
        <a href={at}>{back}</a>
      </p>
    </>,
  );
