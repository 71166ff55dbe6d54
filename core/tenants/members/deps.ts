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

/** What reading and writing rows that carry an HMAC takes. */
export type MemberStoreDeps = Omit<MembersDeps, 'clock'>;
