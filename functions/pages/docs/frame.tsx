import { raw } from 'hono/html';
import { CARD, FEED_PATH, ICON_PATH } from '../../http/files.ts';
import { Layout } from '../layout.tsx';
import { either, placeholder } from '../prerendered.ts';
import { type Block, textOf } from './markdown.ts';

export type Entry = { path: string; title: string; isWithin?: boolean };

interface Frame extends Record<'path' | 'title' | 'about' | 'style' | 'html', string> {
  sections: readonly { name: string; pages: readonly Entry[] }[];
  turns: readonly [Entry | undefined, Entry | undefined];
  blocks: readonly Block[];
  beside?: string | undefined;
}

export const DocsPage = ({ path, title, about, sections, turns, blocks, style, html, beside }: Frame) => (
  <Layout
    title={title}
    width="wide"
    home="/docs"
    nav={
      <nav aria-label="Main">
        <a href="/dashboard">Dashboard</a>
        {raw(either('SUPPORT_EMAIL', `<a href="mailto:${placeholder('SUPPORT_EMAIL')}">Support</a>`, ''))}
      </nav>
    }
    style={style}
    head={
      <>
        <Card title={title} about={about} path={path} />
        <link rel="alternate" type="application/atom+xml" title="Tandem: Changelog" href={FEED_PATH} />
        <script>{raw(DOCS_SCRIPT)}</script>
      </>
    }
    side={
      <div class="side">
        <Search />
        <button type="button" class="quiet tiny" popovertarget="contents">
          All pages
        </button>
        <nav aria-label="Documentation" class="contents" id="contents" popover="auto">
          {sections.map(({ name, pages }) => (
            <>
              <p>{name}</p>
              {pages.map((page) => (
                <a
                  href={page.path}
                  class={page.isWithin ? 'within' : undefined}
                  aria-current={page.path === path ? 'page' : undefined}
                >
                  {page.title}
                </a>
              ))}
            </>
          ))}
        </nav>
      </div>
    }
  >
    {beside === undefined ? (
      <div class="outlined">
        <div>{raw(html)}</div>
        <Outline blocks={blocks} />
      </div>
    ) : (
      <div class="beside">
        <div>{raw(html)}</div>
        <div>{raw(beside)}</div>
      </div>
    )}
    <nav aria-label="Previous and next page" class="turn">
      <Turn page={turns[0]} word="Previous" />
      <Turn page={turns[1]} word="Next" />
    </nav>
  </Layout>
);

function Outline({ blocks }: { blocks: readonly Block[] }) {
  const headings = blocks.flatMap((block) => (block.kind === 'heading' && block.depth === 2 ? [block] : []));
  return headings.length < 2 ? null : (
    <nav aria-label="On this page" class="outline">
      <p>On this page</p>
      {headings.map(({ id, token }) => (
        <a href={`#${id}`}>{textOf(token.tokens)}</a>
      ))}
    </nav>
  );
}

const Turn = ({ page, word }: { page: Entry | undefined; word: string }) =>
  page === undefined ? (
    <span />
  ) : (
    <a href={page.path}>
      <small>{word}</small> {page.title}
    </a>
  );

export const Card = ({ title, about, path }: Pick<Frame, 'title' | 'about' | 'path'>) => (
  <>
    <meta name="description" content={about} />
    <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Tandem" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={about} />
    <meta property="og:url" content={path} />
    <meta property="og:image" content={CARD.path} />
    <meta property="og:image:width" content={String(CARD.width)} />
    <meta property="og:image:height" content={String(CARD.height)} />
    <meta property="og:image:alt" content="Tandem, the scheduling API" />
    <meta name="twitter:card" content="summary_large_image" />
  </>
);

const Search = () => (
  <>
    <button type="button" class="quiet tiny find" hidden>
      Search <kbd>/</kbd>
    </button>
    <dialog class="find" aria-label="Search the documentation">
      <form method="dialog">
        <input type="search" aria-label="Search the documentation" autocomplete="off" spellcheck={false} />
        <button type="submit" class="quiet">
          Close
        </button>
      </form>
      <p role="status" class="small muted" />
      <ol />
    </dialog>
  </>
);

/**
 * Loads the places when the dialog opens first. A place has all words of the query, and if none has, a name such as
 * `user_not_found` counts as its words. First is what has the query as title or name, then in its title, then its words
 * there. Sections come before rows, and the rest stays in reading order.
 */
const SEARCH = `addEventListener('DOMContentLoaded', () => {
  const MOST = 12;
  const button = document.querySelector('button.find');
  const dialog = document.querySelector('dialog.find');
  const input = dialog.querySelector('input');
  const status = dialog.querySelector('[role=status]');
  const list = dialog.querySelector('ol');
  let places;

  const begins = (text, word) => {
    const at = text.indexOf(word);
    return at === 0 || (at > 0 && !/[a-z0-9]/.test(text[at - 1]));
  };
  const scoreOf = (place, query, words) => {
    const [title, page, names, called, text] = [place.title, place.page, place.names ?? '', place.words ?? '', place.text].map((one) => one.toLowerCase());
    const scores = words.map((word) =>
      begins(title, word) ? 20 : begins(called, word) ? 10 : title.includes(word) || names.includes(word) ? 4 : begins(page, word) ? 5 : text.includes(word) ? 1 : 0);
    if (scores.includes(0)) return 0;
    const whole = title === query || names.split(' ').includes(query) ? 200 : called.split(', ').includes(query) ? 100 : begins(title, query) ? 60
      : words.length > 1 && text.includes(query) ? 8 : 0;
    const kind = place.isRow ? -0.5 : place.title === place.page && whole > 8 ? 30 : 0;
    return scores.reduce((sum, one) => sum + one, whole + kind);
  };
  const find = (all, query, words) => all
    .map((place) => ({ place, score: scoreOf(place, query, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);

  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const marked = (text, words) => {
    const pattern = new RegExp('(' + words.map((word) => word.replace(/[^a-z0-9]/g, '\\\\$&')).join('|') + ')', 'i');
    return text.split(pattern).map((part, at) => (at % 2 === 1 ? element('mark', part) : part));
  };
  const around = (text, words) => {
    const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((one) => one >= 0), text.length));
    const start = at < 60 || at === text.length ? 0 : text.indexOf(' ', at - 60) + 1;
    return (start > 0 ? '… ' : '') + text.slice(start, start + 160) + (text.length > start + 160 ? '…' : '');
  };
  const show = ({ to, page, title, names, text }, words) => {
    const link = element('a', '');
    link.href = to;
    const heading = element('strong', '');
    heading.append(...marked(title, words));
    const context = element('span', '');
    context.append(...marked(around(text, words), words));
    link.append(heading, element('small', names ? page + ' · ' + names : page, 'muted'), context);
    const item = element('li', '');
    item.append(link);
    return item;
  };

  const search = async () => {
    places ??= fetch('/docs/places.json').then((response) => (response.ok ? response.json() : Promise.reject(response)));
    const all = await places.catch(() => { places = undefined; });
    const query = input.value.trim().toLowerCase().replace(/\\s+/g, ' ');
    if (!all || query === '') {
      status.textContent = all ? '' : 'The search does not work at the moment. Try again.';
      return list.replaceChildren();
    }
    let words = query.split(' ');
    let found = find(all, query, words);
    if (found.length === 0) {
      words = query.split(/[^a-z0-9]+/).filter((word) => word !== '');
      found = words.length === 0 ? [] : find(all, words.join(' '), words);
    }
    status.textContent = found.length === 0 ? 'No page has all of these words.'
      : found.length === 1 ? '1 place' : found.length + ' places' + (found.length > MOST ? ', the best ' + MOST + ' of them here' : '');
    list.replaceChildren(...found.slice(0, MOST).map(({ place }) => show(place, words)));
  };

  const open = () => {
    if (!dialog.open) dialog.showModal();
    input.select();
    search();
  };
  button.hidden = false;
  button.onclick = open;
  input.oninput = search;
  list.onclick = ({ target }) => { if (target.closest('a')) dialog.close(); };
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key === '/' && !ctrlKey && !metaKey && !altKey && !target.closest('input, textarea, select')) {
      event.preventDefault();
      open();
    }
    if (!dialog.open) return;
    const stops = [input, ...list.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) {
      event.preventDefault();
      stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus();
    }
    if (key === 'Enter' && target === input) {
      event.preventDefault();
      stops[1]?.click();
    }
  });
});`;

/** Keeps the chosen language in all blocks and pages. An address of a row goes where the row's name leads. */
const CHOICES = `addEventListener('DOMContentLoaded', () => {
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
});`;

const unindented = (script: string) => script.replaceAll(/^ +/gm, '');

export const SCRIPT = unindented(CHOICES);
export const DOCS_SCRIPT = unindented(`${CHOICES}\n${SEARCH}`);
