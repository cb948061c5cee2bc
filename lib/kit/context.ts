import type { Credential } from '../../schema/access/sessions.ts';
import type { ActorKind } from '../../schema/api/states.ts';
import type { Db } from '../../schema/db.ts';
import type { ReadingModel } from '../reader/model/port.ts';
import type { CalendarOAuth, CalendarProvider } from './calendar-ports.ts';
import type * as ports from './ports.ts';

/** `functions/http/context.ts` makes it once per request. */
export interface Ctx {
  db: Db;
  clock: ports.Clock;
  ids: ports.Ids;
  keys: ports.Keys;
  sealer: ports.Sealer;
  oauth: CalendarOAuth;
  calendar: CalendarProvider;
  queue: ports.Queue;
  /** Asks the message queue if it knows our account. Rejects if it does not, or does not answer. */
  checkQueue(): Promise<void>;
  nonces: ports.NonceStore;
  answers: ports.AnswerStore;
  limiter: ports.RateLimiter;
  vitals: ports.Vitals;
  sender: ports.WebhookSender;
  model: ReadingModel;
  dns: ports.Dns;
  agentDocuments: ports.AgentDocuments;
  log: ports.Log;
  trace: ports.Trace;
  /** Returns a number in [0, 1), by which callers shift background work, so that not all of it runs at once. */
  random(): number;
  sleep(ms: number): Promise<void>;
  /** Lets a promise finish after the response is sent, and logs an error if the promise rejects. */
  later(work: Promise<unknown>): void;
  /** No webhook may go to hosts of `ownDomain`, the service's registered domain. A developer's machine has none. */
  config: { baseUrl: string; ownDomain?: string | undefined; sessionSecret: string };
  /**
   * Resolves once the request's API key was checked and the rate limit allows the request, and rejects with the
   * refusal. Database reads run beside this check, so code must await it before it calls a calendar or changes
   * anything. If the handler's own batch checks the key, it has resolved already and says nothing about the key.
   */
  admitted: Promise<void>;
  /** Request ID for the audit log. One that the caller chose has `caller:` in front. */
  requestId: string;
  actor: Actor;
  /** Block of IP addresses for the audit log. Null for background work. */
  network: string | null;
}

export interface Actor {
  kind: ActorKind;
  /** Name for the audit log: a masked API key, a session, the name of an operator or the id of a person. */
  id: string;
  /** If it is replaced or ended before the change is written, the change is refused. */
  credential?: Credential | undefined;
}

/** A reference to a platform by its id, the only field of a platform that never changes. */
export type PlatformRef = Pick<Platform, 'id'>;

export type Platform = { id: string; name: string; email: string; plan: string; redirectUris: string[] };
