import { type DocumentedOperation, documented, flattened, type Json } from '../checks/openapi.ts';
import type { Stock } from './stock.ts';

/** An operation of the document as a target of fuzzing. */
export interface Target {
  name: string;
  method: string;
  path: string;
  operation: DocumentedOperation;
  key: 'platform' | 'user' | 'none';
  segments: string[];
  /** Query parameters as an object schema. */
  query: Json;
  queryNames: string[];
  body: Json | undefined;
  isBodyOptional: boolean;
  takesIdempotencyKey: boolean;
  otherMethods: string[];
  changesNothing: boolean;
  idsIn(stock: Stock, segment: string): string[];
  keysIn(stock: Stock): (string | undefined)[];
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
const SEARCHES = ['findAvailability', 'explainAvailability'];

export function targets(): Target[] {
  const all = documented();
  return all.map(({ name, operation }) => {
    const [method = '', path = ''] = name.split(' ');
    const { parameters = [], requestBody, security, operationId } = operation;
    const inQuery = parameters.filter((one) => one.in === 'query');
    const key = security.some((one) => 'user_key' in one) ? 'user' : security.length > 0 ? 'platform' : 'none';
    const schema = requestBody?.content?.['application/json']?.schema;
    const used = all.filter((one) => one.name.split(' ')[1] === path).map((one) => one.name.split(' ')[0]);
    return {
      name,
      method,
      path,
      operation,
      key,
      segments: parameters.filter((one) => one.in === 'path').map((one) => one.name),
      query: {
        type: 'object',
        properties: Object.fromEntries(inQuery.map((one) => [one.name, one.schema])),
        required: inQuery.filter((one) => one.required).map((one) => one.name),
      },
      queryNames: inQuery.map((one) => one.name),
      body: schema && flattened(schema),
      isBodyOptional: requestBody?.required === false,
      takesIdempotencyKey: parameters.some((one) => one.name === 'Idempotency-Key'),
      // Public documents answer the OPTIONS of a browser that asks whether another origin may read them.
      otherMethods: METHODS.filter((one) => !used.includes(one) && !(one === 'OPTIONS' && key === 'none')),
      changesNothing: method === 'GET' || SEARCHES.includes(operationId),
      idsIn: (stock, segment) => idsFor(operationId, path, segment, stock),
      keysIn: ({ platform, users }) =>
        key === 'user' ? users.map((one) => one.key) : [key === 'platform' ? platform.secret_key : undefined],
    };
  });
}

/** Share of each ten meetings, or of the proposals, that an operation may change. */
const SHARES: Record<string, [from: number, to: number]> = {
  updateMeeting: [0, 1],
  cancelMeeting: [1, 5],
  rescheduleMeeting: [5, 10],
  acceptProposal: [0, 1],
  declineProposal: [1, 2],
  withdrawProposal: [2, 4],
  commitBatch: [0, 1],
  cancelBatch: [1, 3],
};

/**
 * Lists existing ids. Each operation that changes meetings or proposals has its own share, so that it leaves the others
 * theirs.
 */
function idsFor(operationId: string, path: string, segment: string, stock: Stock): string[] {
  const [from, to] = SHARES[operationId] ?? [0, 10];
  const shareOf = (ids: string[]) => ids.filter((_, i) => i % 10 >= from && i % 10 < to);
  if (segment === 'email')
    return operationId === 'disconnectCalendar'
      ? stock.leaving
      : operationId === 'eraseGuest'
        ? stock.guests
        : [...stock.attendees, ...stock.users.map(({ email }) => email)];
  if (segment === 'job_id') return stock.jobs;
  if (segment === 'batch_id') return shareOf(stock.batches);
  if (segment === 'proposal_id') return shareOf(stock.proposals);
  if (path.startsWith('/v1/user/learning')) return stock.learned;
  if (segment === 'meeting_id') return shareOf(stock.meetings);
  return stock.deliveries;
}
