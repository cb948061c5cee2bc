import * as z from 'zod';
import { operation } from './operation.ts';

export const Health = z.object({
  status: z.literal('ok').describe('Always `ok`, because the service responds.'),
  version: z.string().describe('Version of the service.'),
});

export const getHealth = operation({
  method: 'get',
  path: '/health',
  id: 'getHealth',
  key: 'open',
  summary: 'Check that the service is up',
  description: 'The health check requires no API key, and reads neither the database nor a calendar.',
  answer: { is: 'Confirms that the service is up.', schema: Health },
});

export const getOpenapi = operation({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenapi',
  key: 'none',
  summary: 'Get this OpenAPI document',
  description: 'Tandem generates the OpenAPI document from the definitions that validate requests and responses.',
  answer: { is: 'Returns an OpenAPI 3.1 document.', schema: z.looseObject({}) },
});

export const operations = [getHealth, getOpenapi];
