import * as z from 'zod';
import { operation } from './operation.ts';

export const Health = z.object({
  status: z.literal('ok').describe('It answers'),
  version: z.string().describe('The version of the service'),
});

export const getHealth = operation({
  method: 'get',
  path: '/health',
  id: 'getHealth',
  key: 'open',
  summary: 'Ask whether the service is up',
  description: 'Needs no key, and reads neither the database nor a calendar.',
  answer: { is: 'It is.', schema: Health },
});

export const getOpenapi = operation({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenapi',
  key: 'none',
  summary: 'Read this document',
  description: 'Made from the same records that check requests and answers.',
  answer: { is: 'An OpenAPI 3.1 document.', schema: z.looseObject({}) },
});

export const operations = [getHealth, getOpenapi];
