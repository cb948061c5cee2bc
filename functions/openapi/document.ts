import packageJson from '../../package.json' with { type: 'json' };
import { ERRORS_PATH } from '../../schema/api/http-errors.ts';
import { GROUPS } from '../http/groups.ts';
import { describeOperation, SECURITY_SCHEMES } from './describe-operation.ts';
import { errorExamples } from './error-examples.ts';
import { namedSchemas } from './json-schema.ts';
import { HEADERS } from './responses.ts';
import { describeWebhooks } from './webhooks.ts';

const DESCRIPTION = `Two connected calendars, the best times for both, one booking, signed webhooks.

Request bodies are JSON. Tandem ignores unknown fields in a request, and names them in \`warnings\` of the response. Endpoints that save preferences or settings refuse unknown fields with the status 400. Date-times are ISO 8601 with an offset or Z.

Errors on availability, scheduling, batch, meeting, proposal and job paths are nested: \`{"error": {"code", "message", …}}\`. All other errors are flat: \`{"error", "message", …}\`. Errors with the status 401, 403 or 429 and errors for unknown paths are flat on every path. Both error formats have \`code\`, \`request_id\` and \`docs\`. ${ERRORS_PATH} explains every code.

Every response has the header \`X-Request-Id\`. Every response to a request that counts against a rate limit has \`X-RateLimit-*\` headers. Webhook receivers should ignore fields that they do not know, because we may add fields.`;

/** `npm run build` puts it among the static assets, from which the Worker serves it. */
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
      license: {
        name: 'No license has been chosen yet: all rights reserved',
        identifier: 'LicenseRef-All-Rights-Reserved',
      },
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...GROUPS.map(({ tag, description }) => ({ name: tag, description })),
      { name: 'Events', description: "Events that Tandem sends to the platform's webhook." },
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
