import { Counter, type Registry } from 'prom-client';
import { ServiceError } from '../errors.ts';

/**
 * Who has to act on a failed proxied call. `connection`: the end user, who must authorize again. `limit`: the caller, who called
 * the provider too often. `service`: the operator.
 */
type Fault = 'none' | 'caller' | 'connection' | 'limit' | 'provider' | 'service';

const UNAUTHORIZED = 401;
const TOO_MANY_REQUESTS = 429;
const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/** Codes of the service's own errors that are not the fault that their status suggests. */
const FAULT_OF_CODE: Readonly<Partial<Record<string, Fault>>> = {
  invalid_credentials: 'connection',
  provider_unreachable: 'provider',
  provider_unavailable: 'provider',
  provider_timeout: 'provider',
};

/** The end of a proxied call: the provider's status, or why there was no complete response. */
type CallEnd = number | 'disconnected' | 'interrupted' | { readonly error: unknown };

/** How the connections of a delivery were found; `unmatched`: it is forwarded without one. */
type Match = 'matched' | 'unmatched';

/**
 * Counts what happens in this process, for Prometheus. Labels say what kind of thing happened and at which provider, never to
 * whom: no account, environment, integration or connection.
 */
export class Counters {
  readonly #calls: Counter<'provider' | 'status' | 'fault'>;
  readonly #refreshes: Counter<'provider' | 'outcome'>;
  readonly #deliveries: Counter<'provider' | 'outcome'>;
  readonly #matches: Counter<'provider' | 'outcome'>;
  readonly #attempts: Counter<'outcome'>;
  readonly #givenUp: Counter;
  readonly #runs: Counter<'event' | 'outcome'>;

  constructor(registry: Registry) {
    const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name: `svc_${name}`, help, labelNames, registers: [registry] });
    this.#calls = counter(
      'proxied_calls_total',
      'Proxied calls that have ended, by class of the status, and by who has to act.',
      ...(['provider', 'status', 'fault'] as const),
    );
    this.#refreshes = counter('refreshes_total', 'Refreshes of credentials.', 'provider', 'outcome');
    this.#deliveries = counter('deliveries_total', 'Webhooks from providers: accepted or refused.', 'provider', 'outcome');
    this.#matches = counter('matches_total', 'Stored webhooks from providers: matched or not.', 'provider', 'outcome');
    this.#attempts = counter('webhook_attempts_total', 'Attempts to deliver a webhook to the application.', 'outcome');
    this.#givenUp = counter('webhooks_given_up_total', 'Webhooks to the application whose attempts all failed.');
    this.#runs = counter('script_runs_total', 'Runs of scripts, except tests.', 'event', 'outcome');
  }

  /** @param provider undefined when the call failed before it was known */
  proxiedCall(provider: string | undefined, end: CallEnd): void {
    const { status, fault } = classified(end);
    this.#calls.inc({ provider: provider ?? 'unknown', status, fault });
  }

  /** @param outcome `success`, `needs_reauth`, `superseded`, or the cause of the back-off */
  refresh(provider: string, outcome: string): void {
    this.#refreshes.inc({ provider, outcome });
  }

  /** @param provider undefined for a URL of no integration */
  delivery(provider: string | undefined, outcome: 'accepted' | 'refused'): void {
    this.#deliveries.inc({ provider: provider ?? 'unknown', outcome });
  }

  match(provider: string, outcome: Match): void {
    this.#matches.inc({ provider, outcome });
  }

  webhookAttempt(outcome: string): void {
    this.#attempts.inc({ outcome });
  }

  webhookGivenUp(): void {
    this.#givenUp.inc();
  }

  scriptRun(event: string, outcome: string): void {
    this.#runs.inc({ event, outcome });
  }
}

function classified(end: CallEnd): { readonly status: string; readonly fault: Fault } {
  if (end === 'disconnected') return { status: 'none', fault: 'caller' };
  if (end === 'interrupted') return { status: 'none', fault: 'provider' };
  if (typeof end === 'number') return { status: `${Math.floor(end / 100)}xx`, fault: faultOfStatus(end) };
  return { status: 'none', fault: faultOfError(end.error) };
}

function faultOfStatus(status: number): Fault {
  if (status < FIRST_CLIENT_ERROR) return 'none';
  if (status >= FIRST_SERVER_ERROR) return 'provider';
  if (status === UNAUTHORIZED) return 'connection';
  return status === TOO_MANY_REQUESTS ? 'limit' : 'caller';
}

function faultOfError(error: unknown): Fault {
  if (!(error instanceof ServiceError)) return 'service';
  return FAULT_OF_CODE[error.code] ?? (error.status < FIRST_SERVER_ERROR ? 'caller' : 'service');
}
