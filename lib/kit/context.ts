import type { Credential } from '../../schema/access/credentials.ts';
import type { ActorKind } from '../../schema/api/audit-actions.ts';
import type { Db } from '../../schema/db.ts';
import type { ReadingModel } from '../reader/model/port.ts';
import type { CalendarOAuth, CalendarProvider } from './calendar-ports.ts';
import type {
  AgentDocuments,
  AnswerStore,
  Clock,
  Dns,
  Ids,
  Keys,
  Log,
  NonceStore,
  Queue,
  RateLimiter,
  Sealer,
  Trace,
  Vitals,
  WebhookSender,
} from './ports.ts';

/**
 * The dependencies of domain functions: database, clock, adapters and settings. `functions/http/context.ts` makes them once
 * per request.
 */
export interface Ctx {
  db: Db;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  sealer: Sealer;
  oauth: CalendarOAuth;
  calendar: CalendarProvider;
  queue: Queue;
  /** Asks the message queue if it knows our account. Rejects if it does not, or does not answer. */
  checkQueue(): Promise<void>;
  nonces: NonceStore;
  answers: AnswerStore;
  limiter: RateLimiter;
  vitals: Vitals;
  sender: WebhookSender;
  model: ReadingModel;
  dns: Dns;
  agentDocuments: AgentDocuments;
  log: Log;
  trace: Trace;
  /**
   * Returns a random number in [0, 1). Callers shift the times of background work by it, so that not everything runs at
   * the same moment.
   */
  random(): number;
  /** Pauses this request for the given number of milliseconds. */
  sleep(ms: number): Promise<void>;
  /** Lets a promise finish after the response is sent, and logs an error if the promise rejects. */
  later(work: Promise<unknown>): void;
  /**
   * The service's settings. `ownDomain` is the registered domain of the service, to whose hosts no webhook may be sent.
   * A developer's own machine has no `ownDomain`.
   */
  config: { baseUrl: string; ownDomain?: string | undefined; sessionSecret: string };
  /**
   * Promise that resolves once the request's API key was checked and the rate limit allows the request. It rejects with
   * the refusal otherwise. Database reads run beside this check, so code must await the promise before it calls a
   * calendar or changes anything. If the handler's own batch checks the key, the promise has
   * resolved already and says nothing about the key.
   */
  admitted: Promise<void>;
  requestId: string;
  /** Caller to whom the audit log attributes the changes that this request makes. */
  actor: Actor;
  /**
   * Block of IP addresses from which the request came, for the audit log. Null for background work, which no request
   * asked for.
   */
  network: string | null;
}

/** Caller who makes a change, with the kind and name under which the audit log records callers. */
export interface Actor {
  kind: ActorKind;
  /** Name for the audit log: a masked API key, a session, the name of an operator or the id of a person. */
  id: string;
  /**
   * API key or session with which the caller sent the request. If it is replaced or ended before the change is written,
   * the change is refused.
   */
  credential?: Credential | undefined;
}

/** A reference to a platform by its id, the only field of a platform that never changes. */
export type PlatformRef = Pick<Platform, 'id'>;

/** The platform that an API key belongs to. */
export interface Platform {
  id: string;
  name: string;
  email: string;
  plan: string;
  redirectUris: string[];
}
