import * as z from 'zod';
import { operation } from './operation.ts';

export const getHealth = operation({
  method: 'get',
  path: '/health',
  id: 'getHealth',
  key: 'open',
  summary: 'Ask whether the service is up',
  answer: { is: 'It is.', schema: z.object({ status: z.literal('ok'), version: z.string() }) },
});

export const getOpenapi = operation({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenapi',
  key: 'none',
  summary: 'Read this document',
  answer: { is: 'An OpenAPI 3.1 document.', schema: z.looseObject({}) },
});

export const operations = [getHealth, getOpenapi];
