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
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Waits; used by the switches that make the sandbox slow. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Receives a webhook of the sandbox like a delivery of any other provider. */
  readonly receive: (address: ReceiverAddress, request: ArrivedRequest) => Promise<unknown>;
}

/** A person's decision on the authorization page. It comes from a browser, so it may be forged. */
export interface Decision {
  readonly form: URLSearchParams;
  /** The site of the page that sent it (`Sec-Fetch-Site`); undefined for old browsers. */
  readonly site: string | undefined;
}

/** A call that the service itself makes to the sandbox. */
export interface DemoRequest {
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readBody(): Promise<Buffer>;
  readonly method: string;
  /** The path below `/sandbox`, such as `/token`. */
  readonly path: string;
  readonly caller: DemoCaller;
}
