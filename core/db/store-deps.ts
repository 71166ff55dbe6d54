import type { Knex } from 'knex';
import type { KeyRing } from '../kit/key-ring.ts';

/** What reading and writing encrypted columns takes. */
export interface StoreDeps {
  /** Or a transaction. */
  readonly db: Knex;
  readonly keys: KeyRing;
}
