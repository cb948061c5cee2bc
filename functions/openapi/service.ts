import * as z from 'zod';
import type { Group } from './operation.ts';

export const service: Group = {
  tag: 'Service',
  description: 'The service itself; no key is needed.',
  operations: [
    {
      ...{ method: 'get', path: '/health', id: 'getHealth', key: 'open' },
      summary: 'Ask whether the service is up',
      answer: { is: 'It is.', schema: z.object({ status: z.literal('ok'), version: z.string() }) },
    },
    {
      ...{ method: 'get', path: '/openapi.json', id: 'getOpenapi', key: 'none' },
      summary: 'Read this document',
      answer: { is: 'An OpenAPI 3.1 document.', schema: z.looseObject({}) },
    },
  ],
};
