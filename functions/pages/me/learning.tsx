import type { readLearning } from '../../../lib/learning/ledger.ts';
import type { MyHabits } from '../../../lib/people/own-page.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { listWeights, sayLearned, sayWeight } from '../../../lib/words/understood.ts';
import { formatCursor } from '../../../schema/api/paging.ts';
import { asRead } from '../clock.tsx';
import { Badge, Card, Empty, LinkLine, PostForm } from '../components.tsx';
import { inSentence } from './fields.tsx';
import { dateOf } from './session.tsx';

export function LearningPage({ weights, rules, entries, next }: Awaited<ReturnType<typeof readLearning>>) {
  const learned = listWeights(weights);
  return (
    <>
      <p class="lead">
        When Tandem picks a time for you, it considers what suits you. Tandem learns this from the reasons given for
        moving your meetings, and from your own words under <a href="/me/preferences#scheduling_context">Your week</a>.
      </p>
      <Card title="What Tandem prefers for you now">
        {learned.length === 0 ? (
          <Empty title="Nothing learned yet">Every time of day and every weekday counts the same.</Empty>
        ) : (
          <>
            <p class="hint">The middle line is neutral. Bars that pass it count more, shorter bars count less.</p>
            <Weights learned={learned} />
          </>
        )}
      </Card>
      {rules.length === 0 ? null : (
        <Card title="Rules from your own words">
          <Rules rules={rules} at="learning" />
        </Card>
      )}
      <Card title="Where this comes from">
        {entries.length === 0 ? (
          <Empty title="No changes yet">Each change will be listed here with its reason, and you can undo it.</Empty>
        ) : (
          <ul class="rows">
            {entries.map((entry) => (
              <li>
                <div>
                  {sayLearned(entry)}
                  <br />
                  <small class="muted">{dateOf(entry.createdAt)}</small>
                </div>
                {entry.undoneAt === null ? (
                  <PostForm
                    action="/me/learning/undo"
                    fields={{ id: entry.id }}
                    kind="quiet"
                    isTiny
                    about={sayLearned(entry)}
                  >
                    Undo
                  </PostForm>
                ) : (
                  <Badge>{`Undone ${dateOf(entry.undoneAt)}`}</Badge>
                )}
              </li>
            ))}
          </ul>
        )}
        {next === undefined ? null : (
          <LinkLine to={`/me/learning?cursor=${formatCursor(next)}`}>Earlier changes</LinkLine>
        )}
      </Card>
      {learned.length + rules.length === 0 ? null : (
        <Card title="Start over">
          <p>
            Undoes everything Tandem has learned about you so far, including from your own words. Your words stay under
            Your week, but count again only after you change them. You cannot reverse this.
          </p>
          <PostForm action="/me/learning/reset" kind="danger">
            Forget everything learned
          </PostForm>
        </Card>
      )}
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

/** Pages that list a person's rules, named by the form that removes one, so that the person returns to where they were. */
export const RULE_PAGES = { home: '/me#rules', learning: '/me/learning' } as const;

const Rules = ({ rules, at }: { rules: MyHabits['rules']; at: keyof typeof RULE_PAGES }) => (
  <ul class="rows">
    {rules.map(({ id, quote, meaning }) => (
      <li>
        <div>
          {asRead(meaning)}
          <br />
          <small class="muted">{`You wrote ${quotedWords(quote)}.`}</small>
        </div>
        <PostForm action="/me/rules/remove" fields={{ id, at }} kind="quiet" isTiny about={asRead(meaning)}>
          Remove
        </PostForm>
      </li>
    ))}
  </ul>
);

export function HabitsSection({ rules, holidays }: MyHabits) {
  return (
    <Card id="rules" title="Rules Tandem follows for you">
      {rules.length === 0 ? (
        <Empty title="No rules yet">
          Write how you like to meet under <a href="/me/preferences#scheduling_context">Your week</a>, such as “nothing
          before 10”.
        </Empty>
      ) : (
        <Rules rules={rules} at="home" />
      )}
      <h3>Public holidays</h3>
      {holidays.next.length === 0 ? (
        <p>
          You have no public holidays off. <a href="/me/preferences#holidays">Choose a country</a>
        </p>
      ) : (
        <>
          <p>
            Nobody is offered a time with you on the public holidays of {inSentence(holidays.place)}.{' '}
            <a href="/me/preferences#holidays">Change the place</a>
          </p>
          <ul>
            {holidays.next.map(({ date, name }) => (
              <li>
                {dateOf(Date.parse(date))}: {name}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
