import * as z from 'zod';
import { Email, text } from './fields.ts';
import { operation } from './operation.ts';

/**
 * Largest number of characters in a platform's `state`. There is a limit because Tandem stores the state with every
 * consent that a person begins.
 */
export const MOST_STATE = 512;
const STATE_SAID = `Value returned unchanged to the redirect URI, at most ${MOST_STATE} characters.`;

export const authorizeCalendar = operation({
  method: 'get',
  path: '/v1/auth/calendar/authorize',
  id: 'authorizeCalendar',
  key: 'none',
  summary: 'Start connecting a calendar in the browser',
  description:
    'The person opens this URL in a browser. At the end, Tandem redirects them to `redirect_uri` with `success=true` or an `error`, and with `state`.',
  query: z.object({
    platform_key: z.string().describe("The platform's publishable key, `pk_live_…`."),
    user_email: Email.describe('Email address of the person whose calendar is to be connected.'),
    redirect_uri: z
      .string()
      .optional()
      .describe(
        "One of the platform's redirect URIs. Without a redirect URI, the consent ends on a page by Tandem that confirms the connection.",
      ),
    state: text(MOST_STATE).optional().describe(STATE_SAID),
  }),
  answer: { status: 302, is: "Redirects to Google's consent page after the person submits the form." },
  pages: {
    200: 'Shows the person which platform asks for access and to what, with a button to continue to Google.',
    400: 'Shows what is wrong with the link.',
    500: 'Asks the person to try again.',
  },
});

export const OauthUrl = z.object({
  oauth_url: z
    .string()
    .describe('Link to send to the person. The link opens a page that shows what access the platform asks for.'),
  instructions: z.string().describe('How to use the link, in a sentence or two.'),
});

export const getOauthUrl = operation({
  method: 'get',
  path: '/v1/platform/oauth-url',
  id: 'getOauthUrl',
  key: 'platform',
  summary: 'Get the link a person uses to connect their calendar',
  description:
    'Returns the authorizeCalendar link with its parameters filled in. The link can be opened any number of times and does not expire.',
  query: z.object({
    user_email: Email.describe('Email address of the person whose calendar is to be connected.'),
    redirect_uri: text(2_048)
      .optional()
      .describe("One of the platform's redirect URIs. Tandem sends the person there at the end."),
    state: text(MOST_STATE).optional().describe(STATE_SAID),
  }),
  codes: { redirect_uri: { wrong: 'invalid_redirect_uri' } },
  answer: { is: 'Returns the link and instructions for using it.', schema: OauthUrl },
});

export const operations = [authorizeCalendar, getOauthUrl];
