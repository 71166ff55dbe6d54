import type { Connection } from '../connections/connection.ts';
import { isBeingAuthorized } from './authorization-watch-store.ts';
import type { CredentialsDeps } from './deps.ts';
import { POLL_MS } from './wait-for-generation.ts';

/**
 * Whether the user of a connection is authorizing it again just now: past the state, but neither connected nor failed. Returns
 * false after so many looks that a flow whose instance died does not delay a decision for long.
 */
export class AuthorizationWatch {
  readonly #deps: Pick<CredentialsDeps, 'db' | 'refreshing'>;
  readonly #connection: Pick<Connection, 'id' | 'environmentId'>;
  #looksLeft: number;

  constructor(deps: Pick<CredentialsDeps, 'db' | 'refreshing'>, connection: Pick<Connection, 'id' | 'environmentId'>) {
    this.#deps = deps;
    this.#connection = connection;
    this.#looksLeft = deps.refreshing.times.reauthorizationMs / POLL_MS;
  }

  async isUnderWay(): Promise<boolean> {
    if (this.#looksLeft <= 0) return false;
    this.#looksLeft -= 1;
    return await isBeingAuthorized(this.#deps.db, this.#connection);
  }
}
