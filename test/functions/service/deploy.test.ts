import { expect, test } from 'vitest';
import { type Deployable, findObstacles } from '../../../functions/cli/deploy.ts';
import { directUrl } from '../../../schema/migrate.ts';

const routes = [{ pattern: 'api.acme.com', custom_domain: true }];
const vars = { BASE_URL: 'https://api.acme.com', OWN_DOMAIN: 'acme.com', SUPPORT_EMAIL: 'help@acme.com' };

test('an environment with its route, BASE_URL, OWN_DOMAIN and SUPPORT_EMAIL is deployed', () => {
  expect(findObstacles({ routes, vars })).toEqual([]);
  expect(findObstacles({ routes: ['api.acme.com/*'], vars })).toEqual([]);
});

test.each([
  [
    'all of it',
    { vars: {} },
    [
      'The setting routes is missing. Add the route of the Worker.',
      'BASE_URL is missing in vars.',
      'OWN_DOMAIN is missing in vars.',
      'SUPPORT_EMAIL is missing in vars.',
    ],
  ],
  ['the route', { vars }, ['The setting routes is missing. Add the route of the Worker.']],
  ...Object.keys(vars).map((name): [string, Deployable, string[]] => [
    name,
    { routes, vars: Object.fromEntries(Object.entries(vars).filter(([one]) => one !== name)) },
    [`${name} is missing in vars.`],
  ]),
])('without %s it is not, and each is named', (_name, environment, expected) => {
  expect(findObstacles(environment)).toEqual(expected);
});

test.each([
  [
    'a plain BASE_URL',
    { ...vars, BASE_URL: 'http://api.acme.com' },
    [
      'BASE_URL in vars must be an https:// URL with a public host and no path, or with LOCAL_MODE=on a URL of this machine.',
    ],
  ],
  [
    'a domain that BASE_URL is not in',
    { ...vars, OWN_DOMAIN: 'acme.org' },
    ["OWN_DOMAIN in vars must be the registered domain that BASE_URL's host belongs to."],
  ],
  [
    'a route to another host',
    { ...vars, BASE_URL: 'https://app.acme.com' },
    ['No route has the host of BASE_URL, https://app.acme.com. Add a route with this host.'],
  ],
])('nor with %s', (_name, given, expected) => {
  expect(findObstacles({ routes, vars: given })).toEqual(expected);
});

test.each([
  [
    'postgresql://a:b-pooler@ep-x-1-pooler.eu-1.aws.neon.tech/db',
    'postgresql://a:b-pooler@ep-x-1.eu-1.aws.neon.tech/db',
  ],
  ['postgresql://a:b@ep-x-1.eu-1.aws.neon.tech/db', 'postgresql://a:b@ep-x-1.eu-1.aws.neon.tech/db'],
  ['postgres://postgres@my-pooler.test/db', 'postgres://postgres@my-pooler.test/db'],
])('a migration of %s connects without the pooler', (url, direct) => {
  expect(directUrl(url)).toBe(direct);
});
