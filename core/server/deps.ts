import type { IncomingMessage } from 'node:http';
import type { SessionCaller } from '../connections/connect-sessions/session-caller.ts';
import type { ServiceError } from '../errors.ts';
import type { FixedWindow } from '../kit/fixed-window.ts';
import type { Logger } from '../kit/logger.ts';
import type { Tracer } from '../kit/tracing.ts';
import type { Environment } from '../tenants/environments/environment-store.ts';
import type { MemberCaller } from '../tenants/members/caller.ts';
import type { Caller } from './access/caller.ts';
import type { BodyBudget } from './bodies/body-budget.ts';
import type { Metrics } from './metrics.ts';
import type { RepeatableServer } from './repeatable-call.ts';
import type { RequestLog } from './request-log.ts';

/** Finds the caller of a credential; undefined when there is none, e.g. because the credential is unknown or revoked. */
export interface Authenticator {
  apiKey(secret: string): Promise<Caller | undefined>;
  /** Finds the caller of a connect session token, even of an ended session, which some routes admit (`evenEnded`). */
  sessionToken(token: string): Promise<SessionCaller | undefined>;
  /** Finds the member by the token in the cookie of the dashboard. */
  memberOf(token: string): Promise<MemberCaller | undefined>;
  /** Finds an environment of an account by its name. */
  environmentNamed(accountId: number, name: string): Promise<Environment | undefined>;
  /** Finds the caller of the deprecated public key of an environment; absent when `SVC_LEGACY_PUBLIC_KEY` is off. */
  publicKey?(key: string): Promise<Caller | undefined>;
}

/** The dependencies that the HTTP edge needs for each request; created once by `server/app.ts`. */
export interface HttpDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly requestLog: RequestLog;
  /** Creates a span for each request; absent while traces are off. */
  readonly tracer?: Tracer | undefined;
  readonly authenticator: Authenticator;
  readonly repeatable: RepeatableServer;
  /** Limits how many refused credentials one client address may send per minute. */
  readonly failures: FixedWindow;
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Limits requests per API key and minute; absent means no limit. */
  readonly keyLimit?: FixedWindow | undefined;
  readonly bodies: BodyBudget;
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly bodyDeadlineMs: number;
  /** Returns the error that callers get for a fault of the database; undefined for any other error. */
  readonly describeFault: (error: unknown) => ServiceError | undefined;
}
