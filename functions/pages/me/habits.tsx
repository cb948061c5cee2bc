import type { MyHabits } from '../../../lib/people/own-page.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { asRead } from '../clock.tsx';
import { Empty, PostForm } from '../components.tsx';
import { dateOf } from './date-of.ts';
import { inSentence } from './holidays-field.tsx';

/** Pages that list a person's rules, named by the form that removes one, so that the person returns to where they were. */
export const RULE_PAGES = { home: '/me#rules', learning: '/me/learning' } as const;

interface RulesProps {
  rules: MyHabits['rules'];
  /** Page on which the rules are listed. */
  at: keyof typeof RULE_PAGES;
  csrf: string;
}

/** Lists what Tandem follows in a person's own words, each rule with a button that removes it. */
export const Rules = ({ rules, at, csrf }: RulesProps) => (
  <ul class="rows">
    {rules.map(({ id, quote, meaning }) => (
      <li>
        <div>
          {asRead(meaning)}
          <br />
          <small class="muted">{`You wrote ${quotedWords(quote)}.`}</small>
        </div>
        <PostForm action="/me/rules/remove" csrf={csrf} fields={{ id, at }} kind="quiet" isTiny about={asRead(meaning)}>
          Remove
        </PostForm>
      </li>
    ))}
  </ul>
);

/** Shows the rules that Tandem follows for a person, and their next public holidays. */
export function HabitsSection({ rules, holidays, csrf }: MyHabits & { csrf: string }) {
  return (
    <section class="card" id="rules">
      <h2>Rules Tandem follows for you</h2>
      {rules.length === 0 ? (
        <Empty title="No rules yet">
          <p>
            Write how you like to meet under <a href="/me/preferences#context">Your week</a>, such as “nothing before
            10”.
          </p>
        </Empty>
      ) : (
        <Rules rules={rules} at="home" csrf={csrf} />
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
    </section>
  );
}
