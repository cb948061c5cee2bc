import type { Child } from 'hono/jsx';
import { KEPT_MS, STAYS, sayKept } from '../../../lib/kit/kept-for.ts';
import { PERMISSIONS } from '../../../lib/kit/permissions.ts';
import { AGENT_DAYS } from '../../../lib/people/agents/tokens.ts';
import { Table } from '../components.tsx';
import { htmlOf, Layout } from '../layout.tsx';
import { placeOf } from '../prerendered.ts';

const nameOf = (scope: string) => scope.replace('https://www.googleapis.com/auth/', '');

const WITH_ACCOUNT = 'until you delete your account';

/** The background sweep deletes the data after the same periods. */
const HELD: [what: string, kept: string][] = [
  ['Your email address, the ID of your Google account, your time zone', WITH_ACCOUNT],
  ['The access that you gave at Google, encrypted', 'until you end it, or Google does'],
  [
    'Revoking that access at Google, until Google has confirmed it',
    `${sayKept(KEPT_MS.revocations)} at most, usually seconds`,
  ],
  ['Which of your calendars count as busy, encrypted; never their names', WITH_ACCOUNT],
  [
    'When you are busy: starts and ends, without titles, places or guests',
    'until your access ends; replaced at each reading',
  ],
  ['Work hours, focus blocks with the reason you give, and other preferences', WITH_ACCOUNT],
  [
    'What you write about when you like to meet, the rules read in it, and the words each rests on',
    `${WITH_ACCOUNT}, or until you change or remove them`,
  ],
  ['What was learned about times that suit you', `${WITH_ACCOUNT}; what you undo, ${sayKept(KEPT_MS.undoneChanges)}`],
  [
    'Meetings that were arranged here: title, description, place, time, both addresses, who accepted',
    'with the platform that made them; when you delete your account, “a former user” takes your place in them',
  ],
  [
    'From a reason for moving a meeting: the words that were understood, with what they were taken to mean, and the words about times that were not. The reason itself is not stored',
    'with the meeting',
  ],
  ['Times held for meetings', `${sayKept(KEPT_MS.holds)} after the time is over`],
  ['Meetings that could not be booked', sayKept(KEPT_MS.failedMeetings)],
  [
    'Times that platforms offered to you or for you, with the names, time zone and answer that were given',
    `${sayKept(KEPT_MS.proposals)} after the offer and its meeting ended`,
  ],
  ['Requests of platforms to find a time, with their result', `${sayKept(KEPT_MS.jobs)} after they ended`],
  [
    'What platforms were told about your meetings, and the beginning of what they answered',
    sayKept(KEPT_MS.deliveries),
  ],
  ['Answers that a platform may ask for again', sayKept(KEPT_MS.answersUnderKeys)],
  ['Sign-ins to your pages', `${sayKept(KEPT_MS.sessions)} after they expired`],
  [
    'Who changed keys, sessions and access, by your id, with the block of addresses it came from',
    `${sayKept(KEPT_MS.auditLog)}; the blocks, with your account`,
  ],
  ['API keys you made, as a hash; revoked ones', `${WITH_ACCOUNT}; ${sayKept(KEPT_MS.revokedKeys)}`],
  [
    'Agents that you let in: the host and the name of each, when you let it in, and its key as a hash',
    `${AGENT_DAYS} days, or until you end the access; then ${sayKept(KEPT_MS.revokedKeys)} more`,
  ],
  [
    'The code with which an agent fetches its key, as a hash, with the address of the agent',
    `a minute in which it can be used; then ${sayKept(KEPT_MS.agentCodes)} more`,
  ],
  [
    'The account of somebody whose address went to another person',
    `${sayKept(KEPT_MS.endedUsers)}, then it is deleted like any other`,
  ],
];

const PROCESSORS: [who: string, what: string][] = [
  ['Cloudflare', 'Runs the service, so it carries every request. Keeps log lines without addresses for up to 7 days.'],
  [
    'Cloudflare Workers AI',
    'Turns what somebody wrote to Tandem about times (a reason for moving a meeting, a note on preferences) into settings. It never receives text from your calendar.',
  ],
  ['Neon', 'Stores the database: everything in the table above.'],
  [
    'Upstash',
    'Stores answers that may be asked for again, request counts, and the queue, whose messages contain IDs only.',
  ],
  ['Google', 'Holds your calendar. Tandem reads busy times there and writes the meetings.'],
];

export const PrivacyPage = () => (
  <LegalPage title="Privacy">
    <p>
      Tandem arranges meetings for two people on behalf of platforms, which are other companies' products. {COMPANY}{' '}
      operates it. This page says what Tandem holds about you, for how long, and who processes it.
    </p>
    <h2>What Tandem does with your Google account</h2>
    <p>With what you allow at Google, Tandem</p>
    <ul>
      {PERMISSIONS.map(({ scope, does }) => (
        <li>
          {does} (<code>{nameOf(scope)}</code>)
        </li>
      ))}
    </ul>
    <p>
      A platform that you connected with sees when you are busy, your work hours and preferences, focus blocks with
      their reasons, and the meetings it made. It does not see other events, their titles, places or guests.
    </p>
    <h2>If you only answer a link</h2>
    <p>
      On the page on which somebody offers you times, “Check my Google calendar” asks Google for two things: who you are
      (<code>openid</code>, an ID without name or address) and when you are busy (<code>calendar.freebusy</code>).
      Tandem reads when you are busy once, for the next 60 days or up to the last offered time, compares it with the
      times, and keeps nothing of it. Then Tandem revokes the access. Google can only revoke everything that an account
      gave to Tandem, so if your account is connected to Tandem through any platform, Tandem revokes nothing, and the
      access ends by itself within an hour.
    </p>
    <p>
      What you write there about other times is kept with the offer. If the meeting is already booked, the text itself
      is not kept, only what was understood of it.
    </p>
    <p>
      Tandem's use and transfer of information received from Google APIs adheres to the{' '}
      <a href="https://developers.google.com/terms/api-services-user-data-policy">
        Google API Services User Data Policy
      </a>
      , including the Limited Use requirements. It is not sold, not used for advertising, and not used to train models.
    </p>
    <h2>What is held, and for how long</h2>
    <Table head={['What', { name: 'Kept', short: '' }]} rows={HELD} />
    <h2>What stays when you delete your account</h2>
    <Table head={['What', { name: 'Kept', short: '' }]} rows={STAYS.map(({ what, kept }) => [what, kept])} />
    <p>The database's backups keep what was deleted until they expire themselves.</p>
    <h2>Who processes it</h2>
    <Table head={['Who', { name: 'What for', short: '' }]} rows={PROCESSORS} />
    <h2>Your choices</h2>
    <p>
      On <a href="/me">your own page</a> you can see which platforms have access and end it, correct your preferences,
      undo what was learned, download everything, and delete your account. Deleting revokes the access at Google.
    </p>
    <p>
      Tandem's pages set a cookie only to keep you signed in, to finish connecting a calendar, or to remember the time
      zone that you chose for a dashboard. They measure nothing. They load nothing from anybody else, with one
      exception: the pages on which a platform asks for access, or offers you times, may load that platform's logo from
      an address that the platform chose. Your browser does not tell that address which page it is on.
    </p>
  </LegalPage>
);

const LEGAL = [
  { path: '/privacy', title: 'Privacy' },
  { path: '/terms', title: 'Terms' },
] as const;

export const COMPANY = placeOf('COMPANY_NAME');
const CONTACT = placeOf('CONTACT_EMAIL');

export function LegalPage({ title, children }: { title: (typeof LEGAL)[number]['title']; children: Child }) {
  const current = LEGAL.find((page) => page.title === title)?.path;
  return (
    <Layout title={title} width="wide" nav={{ label: 'About Tandem', links: LEGAL, current }}>
      {children}
      <h2>Contact</h2>
      <p>
        {COMPANY}, <a href={`mailto:${CONTACT}`}>{CONTACT}</a>
      </p>
    </Layout>
  );
}

export const TermsPage = () => (
  <LegalPage title="Terms">
    <p>
      These terms are between {COMPANY} and everybody who uses Tandem: people who connect their calendar, and platforms
      that arrange meetings for them. A platform's own contract with {COMPANY} goes before them.
    </p>
    <h2>What Tandem does</h2>
    <p>
      Tandem finds times that suit two people, books meetings on their calendars, and moves and cancels them, when a
      platform that both have connected with asks for it. You can end a platform's access at any time on{' '}
      <a href="/me">your own page</a>. Meetings that were booked stay on your calendar.
    </p>
    <h2>What you agree to</h2>
    <ul>
      <li>You connect only a calendar that is yours or that you may decide about.</li>
      <li>You keep your API key secret. Whoever has it can act in your name until you revoke it.</li>
      <li>You do not try to reach another person's or platform's data, or to slow the service down for others.</li>
      <li>As a platform, you arrange meetings only for people who expect them from you.</li>
    </ul>
    <h2>What is not promised</h2>
    <p>
      Tandem depends on your calendar at Google and shows what it said when it was last read. It may be interrupted. As
      far as the law allows, it is offered as it is, without a warranty that a time is still free when a meeting begins.
    </p>
    <h2>Ending and changes</h2>
    <p>
      You can delete your account at any time. {COMPANY} may close an account that breaks these terms. If these terms
      change, the new ones stand here. A change of the API that can break a platform's code is announced 30 days in
      advance.
    </p>
    <p>
      <a href="/privacy">Privacy</a> says what is held about you.
    </p>
  </LegalPage>
);

export const prerenderLegal = async (): Promise<Record<string, string>> => ({
  'privacy.html': await htmlOf(<PrivacyPage />),
  'terms.html': await htmlOf(<TermsPage />),
});
