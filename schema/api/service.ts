import * as z from 'zod';
import { answer, docs } from '#docs';
import { operation } from './operation.ts';

export const Health = answer(() => ({
  status: z.literal('ok').describe('Always `ok`, because the service responds.'),
  version: z.string().describe('Version of the service.'),
}));

export const getHealth = operation('get /health', {
  key: 'open',
  summary: docs('Check that the service is up'),
  description: docs('The health check requires no API key, and reads neither the database nor a calendar.'),
  answer: { is: docs('Confirms that the service is up.'), schema: Health },
});

export const getOpenapi = operation('get /openapi.json', {
  key: 'none',
  summary: docs('Get this OpenAPI document'),
  description: docs('Tandem generates the OpenAPI document from the definitions that validate requests and responses.'),
  answer: { is: docs('Returns an OpenAPI 3.1 document.'), schema: z.looseObject({}) },
});

export const operations = { getHealth, getOpenapi };
