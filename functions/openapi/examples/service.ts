import type * as serviceApi from '../../../schema/api/service.ts';
import type { ExamplesOf } from './example.ts';

export const service: ExamplesOf<typeof serviceApi> = {
  getHealth: {
    answer: { status: 'ok', version: '1.0.0' },
  },
  getOpenapi: {
    answer: { openapi: '3.1.0', info: { title: 'Tandem', version: '1.0.0' } },
  },
};
