import * as z from 'zod';
import { docs } from '#docs';
import { Email, text } from './fields.ts';
import { operation, platformOperation } from './operation.ts';
import { stringOf, stringOrAbsent } from './plain.ts';

/** Tandem stores the state with every consent that a person begins, so it has a limit. */
export const MOST_STATE = 4_096;
const STATE_SAID = `Text of your choice that Tandem adds unchanged to the redirect URI, at most ${MOST_STATE.toLocaleString('en-US')} characters.`;

export const authorizeCalendar = operation({
  method: 'get',
  path: '/v1/auth/calendar/authorize',
  id: 'authorizeCalendar',
  key: 'none',
  summary: docs('Start connecting a calendar in the browser'),
  description: docs(
    'The person opens the URL of this operation in a browser. When the person has given or refused consent, Tandem redirects them to `redirect_uri` with `success=true` or an `error`, and with `state`.',
  ),
  query: z.object({
    platform_key: z.string().describe(docs("The platform's publishable key, `pk_live_…`.")),
    user_email: Email.describe(docs('Email address of the person whose calendar is to be connected.')),
    redirect_uri: stringOrAbsent(
      docs(
        "One of the platform's redirect URIs. Without a redirect URI, the person ends on a page by Tandem that confirms the connection.",
      ),
    ),
    state: text(MOST_STATE).optional().describe(docs(STATE_SAID)),
  }),
  answer: { status: 302, is: docs("Redirects to Google's consent page after the person submits the form.") },
  pages: {
    200: 'Returns a page that tells the person which platform asks for which access, with a button that leads on to Google.',
    400: 'Returns a page that says what is wrong with the link to connect a calendar.',
    500: 'Returns a page that asks the person to try to connect the calendar again.',
  },
});

export const OauthUrl = z.object({
  oauth_url: stringOf(
    docs(
      'Link with which the person connects a calendar. Send the link to the person. The link opens a page that says which access the platform asks for.',
    ),
  ),
  instructions: z.string().describe(docs('One or two sentences that say how to use the link.')),
});

export const getOauthUrl = platformOperation({
  method: 'get',
  path: '/v1/platform/oauth-url',
  id: 'getOauthUrl',
  summary: docs('Get the link a person uses to connect their calendar'),
  description: docs(
    'Returns the link with which one person connects a calendar: the URL of authorizeCalendar with its parameters filled in. The link to connect a calendar can be opened any number of times and does not expire.',
  ),
  query: z.object({
    user_email: Email.describe(docs('Email address of the person whose calendar is to be connected.')),
    redirect_uri: text(2_048)
      .optional()
      .describe(
        docs("One of the platform's redirect URIs. Tandem redirects the person to this URI after the consent."),
      ),
    state: text(MOST_STATE).optional().describe(docs(STATE_SAID)),
  }),
  codes: { redirect_uri: { wrong: 'invalid_redirect_uri' } },
  answer: {
    is: docs('Returns the link to connect a calendar, and instructions for using the link.'),
    schema: OauthUrl,
  },
});

export const operations = [authorizeCalendar, getOauthUrl];
