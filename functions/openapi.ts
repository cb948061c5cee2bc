import { Hono } from 'hono';
import packageJson from '../package.json' with { type: 'json' };
import { ERRORS_PATH } from '../schema/api/http-errors.ts';
import type { AppEnv } from './env.ts';
import { GROUPS } from './groups.ts';
import { describeOperation, SECURITY_SCHEMES } from './openapi/describe-operation.ts';
import { errorExamples } from './openapi/error-examples.ts';
import { namedSchemas } from './openapi/json-schema.ts';
import { HEADERS } from './openapi/responses.ts';
import { describeWebhooks } from './openapi/webhooks.ts';

const DESCRIPTION = `Two connected calendars, the best times for both, one booking, signed webhooks.

Bodies are JSON; unknown fields are ignored and named in the answer's warnings, or refused where settings are kept. Date-times are ISO 8601 with an offset or Z. Errors of availability, scheduling, meetings and jobs are nested ({"error": {"code", "message", …}}), all others flat ({"error", "message", …}); 401, 403, 429 and unknown paths are flat everywhere. Both carry code, request_id and docs: ${ERRORS_PATH} explains every code. Every answer has X-Request-Id; each that was counted against a limit has X-RateLimit-*. Receivers of webhooks should expect new fields.`;

/** The whole API as an OpenAPI 3.1 document. */
export function openapiDocument(baseUrl: string) {
  const described = GROUPS.flatMap(({ tag, operations }) =>
    operations.map((operation) => ({ ...operation, json: describeOperation(operation, tag) })),
  );
  const byPath = Map.groupBy(described, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tandem',
      version: packageJson.version,
      summary: packageJson.description,
      description: DESCRIPTION,
      contact: { name: 'Tandem', url: baseUrl },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...GROUPS.map(({ tag, description }) => ({ name: tag, description })),
      { name: 'Events', description: "What is sent to the platform's webhook." },
    ],
    paths: Object.fromEntries(
      [...byPath].map(([path, of]) => [path, Object.fromEntries(of.map(({ method, json }) => [method, json]))]),
    ),
    webhooks: describeWebhooks(),
    components: {
      schemas: namedSchemas(),
      examples: errorExamples(),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** The document's text, written once per isolate. */
let written: string | undefined;

export const openapi = new Hono<AppEnv>();

openapi.get('/openapi.json', (c) => {
  written ??= JSON.stringify(openapiDocument(c.var.env.BASE_URL));
  return c.body(written, 200, { 'Content-Type': 'application/json' });
});
