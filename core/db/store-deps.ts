import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';

/** The dependencies for reading and writing encrypted columns. */
export interface StoreDeps {
  /** The database, or a transaction. */
  readonly db: Knex;
  readonly keys: KeyRing;
}
