import { html } from 'hono/html';
import type { Person } from './store.ts';

const SCOPE_LABELS: Record<string, string> = {
  'https://www.googleapis.com/auth/calendar': 'See, edit, share and delete all your calendars',
  'https://www.googleapis.com/auth/calendar.readonly': 'See and download your calendars',
  'https://www.googleapis.com/auth/calendar.events': 'View and edit events on your calendars',
  'https://www.googleapis.com/auth/calendar.freebusy': 'See when you are free or busy',
  'https://www.googleapis.com/auth/calendar.settings.readonly': 'See your calendar settings, such as your time zone',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly': 'See the list of your calendars',
};

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; color: #1f1f1f; background: #f0f4f9; margin: 0; }
  main { max-width: 30rem; margin: 8vh auto; background: #fff; padding: 2rem 2.5rem; border-radius: 1.5rem; }
  h1 { font-size: 1.5rem; font-weight: 500; margin: 0 0 .5rem; }
  fieldset { border: 1px solid #dde3ea; border-radius: .75rem; margin: 1.25rem 0; padding: .75rem 1rem; }
  legend { padding: 0 .5rem; color: #5f6368; font-size: .875rem; }
  label { display: block; padding: .35rem 0; cursor: pointer; }
  .actions { display: flex; justify-content: flex-end; gap: .75rem; }
  button { font: inherit; padding: .5rem 1.5rem; border-radius: 2rem; border: 1px solid #747775; background: #fff;
    color: #0b57d0; cursor: pointer; }
  button[value=allow] { background: #0b57d0; border-color: #0b57d0; color: #fff; }
  button:focus-visible { outline: 3px solid #a8c7fa; outline-offset: 2px; }
  small { color: #5f6368; }
`;

/** Renders Google's consent page, where a person chooses an account, ticks scopes, and allows or cancels. */
export function consentPage(input: { people: Person[]; scopes: string[]; hidden: Record<string, string> }) {
  const { people, scopes, hidden } = input;
  return page(
    'Sign in with Google (local)',
    html`<h1>Tandem wants to access your Google Account</h1>
      <form method="post" action="auth/consent">
        ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <fieldset>
          <legend>Account</legend>
          ${people.map(
            ({ email, name }, index) =>
              html`<label
                ><input type="radio" name="email" value="${email}" required ${index === 0 ? 'checked' : ''} /> ${name}
                <small>${email}</small></label
              >`,
          )}
        </fieldset>
        <fieldset>
          <legend>Select what Tandem can access</legend>
          ${scopes.map(
            (scope) =>
              html`<label
                ><input type="checkbox" name="granted" value="${scope}" checked /> ${SCOPE_LABELS[scope] ?? scope}</label
              >`,
          )}
        </fieldset>
        <div class="actions">
          <button name="action" value="deny" formnovalidate>Cancel</button>
          <button name="action" value="allow">Continue</button>
        </div>
      </form>`,
  );
}

export function errorPage(error: string, detail: string) {
  return page(
    `Error 400: ${error}`,
    html`<h1>Access blocked</h1>
      <p>Error 400: ${error}</p>
      <p>${detail}</p>`,
  );
}

function page(title: string, body: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${STYLE}</style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
}
