import { COMPANY, LegalPage } from './page.tsx';

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
