import type { readLearning } from '../../../lib/learning/ledger.ts';
import { listWeights, sayLearned, sayWeight } from '../../../lib/words/learned.ts';
import { formatCursor } from '../../../schema/api/paging.ts';
import { Badge, Empty, PostForm } from '../components.tsx';
import { dateOf } from './date-of.ts';
import { Rules } from './habits.tsx';

type Learning = Awaited<ReturnType<typeof readLearning>>;

export function LearningPage({ weights, rules, entries, next, csrf }: Learning & { csrf: string }) {
  const learned = listWeights(weights);
  return (
    <>
      <p class="lead">
        When Tandem picks a time for you, it considers what suits you. Tandem learns this from the reasons given for
        moving your meetings, and from your own words under <a href="/me/preferences#context">Your week</a>.
      </p>
      <section class="card">
        <h2>What Tandem prefers for you now</h2>
        {learned.length === 0 ? (
          <Empty title="Nothing learned yet">
            <p>Every time of day and every weekday counts the same.</p>
          </Empty>
        ) : (
          <>
            <p class="hint">The middle line is neutral. Bars that pass it count more, shorter bars count less.</p>
            <Weights learned={learned} />
          </>
        )}
      </section>
      {rules.length === 0 ? null : (
        <section class="card">
          <h2>Rules from your own words</h2>
          <Rules rules={rules} at="learning" csrf={csrf} />
        </section>
      )}
      <section class="card">
        <h2>Where this comes from</h2>
        {entries.length === 0 ? (
          <Empty title="No changes yet">
            <p>Each change will be listed here with its reason, and you can undo it.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {entries.map((entry) => (
              <EntryRow entry={entry} csrf={csrf} />
            ))}
          </ul>
        )}
        {next === undefined ? null : (
          <p>
            <a href={`/me/learning?cursor=${formatCursor(next)}`}>Earlier changes</a>
          </p>
        )}
      </section>
      {learned.length + rules.length === 0 ? null : <Reset csrf={csrf} />}
    </>
  );
}

function Weights({ learned }: { learned: readonly (readonly [string, number])[] }) {
  return (
    <ul class="weights">
      {learned.map(([name, weight]) => (
        <li>
          <span>{name}</span>
          <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
            <rect class="rail" width="200" height="12" rx="2" />
            <rect class={weight < 1 ? 'series-3' : 'series-2'} width={weight * 100} height="12" rx="2" />
            <line x1="100" x2="100" y1="0" y2="12" />
          </svg>
          <span class="muted">{sayWeight(weight)}</span>
        </li>
      ))}
    </ul>
  );
}

function EntryRow({ entry, csrf }: { entry: Learning['entries'][number]; csrf: string }) {
  const said = sayLearned(entry);
  return (
    <li>
      <div>
        {said}
        <br />
        <small class="muted">{dateOf(entry.createdAt)}</small>
      </div>
      {entry.undoneAt === null ? (
        <PostForm action="/me/learning/undo" csrf={csrf} fields={{ id: entry.id }} kind="quiet" isTiny about={said}>
          Undo
        </PostForm>
      ) : (
        <Badge>{`Undone ${dateOf(entry.undoneAt)}`}</Badge>
      )}
    </li>
  );
}

const Reset = ({ csrf }: { csrf: string }) => (
  <section class="card">
    <h2>Start over</h2>
    <p>
      Undoes everything Tandem has learned about you so far, including from your own words. Your words stay under Your
      week, but count again only after you change them. You cannot reverse this.
    </p>
    <PostForm action="/me/learning/reset" csrf={csrf} kind="danger">
      Forget everything learned
    </PostForm>
  </section>
);
