import * as z from 'zod';
import { Email, text } from './fields.ts';
import { operation } from './operation.ts';

export const authorizeCalendar = operation({
  method: 'get',
  path: '/v1/auth/calendar/authorize',
  id: 'authorizeCalendar',
  key: 'none',
  summary: 'Begin to connect a calendar; opened by the person in a browser',
  description: 'In the end the person is sent to redirect_uri with success=true or an error, and with state.',
  query: z.object({
    platform_key: z.string().describe("The platform's publishable key, `pk_live_…`"),
    user_email: Email.describe('Whose calendar it is to be'),
    redirect_uri: z
      .string()
      .optional()
      .describe("One of the platform's redirect URIs; without it a page of ours says that it is done"),
    state: z.string().optional().describe('Given back to the redirect URI unchanged'),
  }),
  answer: { status: 302, is: "From that page's form: to the calendar provider's own." },
  pages: {
    200: 'A page that says which platform asks, and for what; the person goes on from there.',
    400: 'A page that says what is wrong with the link.',
    500: 'A page that says to try again.',
  },
});

export const OauthUrl = z.object({
  oauth_url: z.string().describe('The link to send the person; it opens a page that says what is asked of them'),
  instructions: z.string().describe('What to do with the link, in a sentence'),
});

export const getOauthUrl = operation({
  method: 'get',
  path: '/v1/platform/oauth-url',
  id: 'getOauthUrl',
  key: 'platform',
  summary: 'Get the link with which a person connects their calendar',
  description: 'The link of authorizeCalendar, filled in. It can be opened any number of times and does not expire.',
  query: z.object({
    user_email: Email.describe('Whose calendar it is to be'),
    redirect_uri: text(2_048)
      .optional()
      .describe("One of the platform's redirect URIs; where the person is sent in the end"),
    state: text(1_000).optional().describe('Given back to the redirect URI unchanged'),
  }),
  codes: { redirect_uri: { wrong: 'invalid_redirect_uri' } },
  answer: { is: 'The link, and what to tell the person.', schema: OauthUrl },
});

export const operations = [authorizeCalendar, getOauthUrl];
