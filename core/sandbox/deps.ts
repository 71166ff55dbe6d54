import type { Knex } from 'knex';
import type { SandboxCaller } from '../integrations/sandbox.ts';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Logger } from '../kit/logger.ts';
import type { ArrivedRequest } from '../webhook-ingress/incoming.ts';
import type { ReceiverAddress } from '../webhook-ingress/receivers.ts';

export interface SandboxDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  /** The public URL, without a slash at its end. */
  readonly baseUrl: string;
  /** Waits for the switches that make the sandbox slow. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Takes a webhook of the sandbox as one of any provider. */
  readonly receive: (address: ReceiverAddress, request: ArrivedRequest) => Promise<unknown>;
}

/** A request to the sandbox. */
interface AnyRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readBody(): Promise<Buffer>;
}

/** Of a browser, and so of anybody. */
export interface PageRequest extends AnyRequest {
  readonly query: URLSearchParams;
}

/** Of the service itself. */
export interface SandboxRequest extends AnyRequest {
  readonly method: string;
  /** Below `/sandbox`, such as `/token`. */
  readonly path: string;
  readonly caller: SandboxCaller;
}
