import type { Knex } from 'knex';
import type { Logger } from '../kit/logger.ts';
import { type LeaseRef, prolongLease } from './lease-store.ts';
import type { RefreshTimes } from './refresh-times.ts';

interface HeartbeatDeps {
  readonly db: Knex;
  readonly log: Logger;
  readonly refreshing: { readonly times: RefreshTimes };
}

/** Prolongs a lease for as long as its owner is at work; does nothing once another owner has it. */
export class Heartbeat implements Disposable {
  readonly #timer: NodeJS.Timeout;

  constructor({ db, log, refreshing: { times } }: HeartbeatDeps, ref: LeaseRef, owner: string) {
    const beat = () =>
      prolongLease(db, ref, { owner, leaseSeconds: times.leaseSeconds }).catch((error: unknown) =>
        log.debug('a lease could not be prolonged', { error, connection: ref.id }),
      );
    this.#timer = setInterval(() => void beat(), times.heartbeatMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
