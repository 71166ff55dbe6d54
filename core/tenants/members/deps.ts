import type { Knex } from 'knex';
import type { Clock } from '../../kit/clock.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';

export interface MembersDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly log: Logger;
}

/** The dependencies for reading and writing rows that carry an HMAC. */
export type MemberStoreDeps = Omit<MembersDeps, 'clock'>;
