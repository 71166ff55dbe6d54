import type { LeaseDeps } from './deps.ts';
import { type LeaseRef, prolongLease } from './lease-store.ts';

/** Prolongs a lease while its owner is at work; does nothing once another owner has the lease. */
export class Heartbeat implements Disposable {
  readonly #timer: NodeJS.Timeout;

  constructor({ db, log, refreshing: { times } }: LeaseDeps, ref: LeaseRef, owner: string) {
    const beat = () =>
      prolongLease(db, ref, { owner, leaseSeconds: times.leaseSeconds }).catch((error: unknown) =>
        log.debug('the lease of a connection could not be extended', { error, connection: ref.id }),
      );
    this.#timer = setInterval(() => void beat(), times.heartbeatMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
