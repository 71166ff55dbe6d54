import type { Knex } from 'knex';
import type { DemoCaller } from '../connections/integrations/demo-provider.ts';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Logger } from '../kit/logger.ts';
import type { ArrivedRequest } from '../webhook-ingress/incoming.ts';
import type { ReceiverAddress } from '../webhook-ingress/receivers.ts';

export interface DemoProviderDeps {
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

/** What a person has decided, sent by a browser, and so by anybody. */
export interface Decision {
  readonly form: URLSearchParams;
  /** Whose page sent it (`Sec-Fetch-Site`); old browsers do not say. */
  readonly site: string | undefined;
}

/** A call of the service itself. */
export interface DemoRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readBody(): Promise<Buffer>;
  readonly method: string;
  /** Below `/sandbox`, such as `/token`. */
  readonly path: string;
  readonly caller: DemoCaller;
}
