import type { IncomingMessage } from 'node:http';
import type { SessionCaller } from '../connections/connect-sessions/session-caller.ts';
import type { ServiceError } from '../errors.ts';
import type { FixedWindow } from '../kit/fixed-window.ts';
import type { Logger } from '../kit/logger.ts';
import type { Environment } from '../tenants/environments/environment-store.ts';
import type { MemberCaller } from '../tenants/members/caller.ts';
import type { Caller } from './access/caller.ts';
import type { BodyBudget } from './bodies/body-budget.ts';
import type { Metrics } from './metrics.ts';
import type { RepeatableServer } from './repeatable-call.ts';

/** Finds the caller of a credential; undefined when there is none (unknown, revoked). */
export interface Authenticator {
  apiKey(secret: string): Promise<Caller | undefined>;
  /** Also of a session that has ended. */
  sessionToken(token: string): Promise<SessionCaller | undefined>;
  /** Of the cookie of the dashboard. */
  memberOf(token: string): Promise<MemberCaller | undefined>;
  /** Of an account, by name. */
  environmentNamed(accountId: number, name: string): Promise<Environment | undefined>;
  /** The deprecated public key of an environment; absent: `SVC_LEGACY_PUBLIC_KEY` is off. */
  publicKey?(key: string): Promise<Caller | undefined>;
}

/** What the edge needs for each request; made once by `server/app.ts`. */
export interface HttpDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly authenticator: Authenticator;
  readonly repeatable: RepeatableServer;
  /** Of refused credentials, per client address. */
  readonly failures: FixedWindow;
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Of requests per API key; absent: there is no limit. */
  readonly keyLimit?: FixedWindow | undefined;
  readonly bodies: BodyBudget;
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly bodyDeadlineMs: number;
  /** Recognises database faults by their classes; undefined for anything else. */
  readonly describeFault: (error: unknown) => ServiceError | undefined;
}
