import { HOUR } from '../../../lib/engine/time/dates.ts';
import { type DocumentedOperation, documented, flattened, type Json } from '../checks/openapi.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../people/factories.ts';
import { strangersAddress } from '../people/proposing.ts';
import { createClient } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';

/** People and platforms for one fuzzing run that nobody else uses, and the ids of everything made for them. */
export type Stock = Awaited<ReturnType<typeof freshStock>>;

/** URI that people are redirected to after their consent. */
export const BACK = 'https://nowhere.test/';

/** Creates a platform without limits that has meetings, jobs, deliveries, and users with learned weights. */
export async function freshStock({ meetings = 40, users: people = 6 } = {}) {
  const platform = await freshPlatform({ plan: 'enterprise', redirectUris: [BACK] });
  const { api } = platform;
  const attendees = await Promise.all(
    ['ada', 'bob'].map(async (name) => (await connectedPerson(platform, { name })).email),
  );
  const leaving = await Promise.all(
    ['cyd', 'dan', 'eve'].map(async (name) => (await connectedPerson(platform, { name })).email),
  );
  const users = await Promise.all(
    Array.from({ length: people }, async () => {
      const { email, api_key } = await world.connect(platform, freshPerson({ name: 'user' }).email);
      return { email, key: api_key };
    }),
  );
  const from = Math.ceil(world.clock.now() / HOUR) * HOUR + 24 * HOUR;
  const booked = await Promise.all(
    Array.from({ length: meetings }, (_, i) =>
      api.schedule({
        attendees,
        start_time: new Date(from + i * HOUR).toISOString(),
        duration_minutes: 30,
        title: `Meeting ${i}`,
      }),
    ),
  );
  const jobs = await Promise.all([1, 2].map(() => api.send('POST', '/v1/schedule/auto', { attendees })));
  const sent = await Promise.all(
    [1, 2, 3].map((n) =>
      api.send('POST', '/v1/schedule/batch', { meetings: [{ reference: `pair ${n}`, attendees }], dry_run: true }),
    ),
  );
  const proposed = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      api.send('POST', '/v1/proposals', {
        attendees,
        // Later than any time that the jobs choose.
        times: [new Date(from + (60 * 24 + n) * HOUR).toISOString()],
        duration_minutes: 30,
        title: `Proposal ${n}`,
      }),
    ),
  );
  const guests = await Promise.all([1, 2, 3].map((n) => invite(n)));
  const tested = await Promise.all([1, 2, 3].map(() => api.send('POST', '/v1/platform/webhook/test')));
  const learned = await Promise.all(users.map(({ key }) => learn(key)));
  async function invite(n: number): Promise<string> {
    const guest = strangersAddress();
    const answer = await api.send('POST', '/v1/proposals', {
      attendees: [attendees[0], guest],
      times: [new Date(from + (70 * 24 + n) * HOUR).toISOString()],
      ...{ duration_minutes: 30, title: `Invitation ${n}` },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return guest;
  }
  const batches = sent.map(({ body }) => idIn(body, 'batch_id'));
  // Only a planned dry run can be committed. A run of the queue would plan it, but would also end the jobs.
  await world.neon.query("update batches set status = 'planned', next_run_at = null where id = $1", [batches[0]]);
  return {
    platform,
    attendees,
    /** People for the operation that disconnects a calendar; each can be disconnected once. */
    leaving,
    users,
    meetings: booked.map(({ body }) => idIn(body, 'meeting_id')),
    jobs: jobs.map(({ body }) => idIn(body, 'job_id')),
    batches,
    proposals: proposed.map(({ body }) => idIn(body, 'proposal_id')),
    /** IDs of the proposals' times, one of each. */
    times: proposed.map(({ body }) => idIn((body as { times: unknown[] }).times[0], 'id')),
    /** Addresses of guests, each invited by a proposal. The operation that erases a guest can erase each once. */
    guests,
    deliveries: tested.map(({ body }) => idIn(body, 'id')),
    learned: learned.flat(),
  };
}

async function learn(key: string): Promise<string[]> {
  const own = createClient(world.baseUrl, key);
  const scheduling_context = 'Mornings are too early for me, and Mondays never work.';
  await own.send('PUT', '/v1/user/preferences', { scheduling_context });
  const { body } = await own.send('GET', '/v1/user/learning');
  return (body as { entries: { id: string }[] }).entries.map(({ id }) => id);
}

function idIn(body: unknown, field: string): string {
  const id = (body as Record<string, unknown>)[field];
  if (typeof id !== 'string') throw new Error(`no ${field} in ${JSON.stringify(body)}`);
  return id;
}

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
