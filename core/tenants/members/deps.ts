import type { Knex } from 'knex';
import type { Clock } from '../../kit/clock.ts';

export interface MembersDeps {
  readonly db: Knex;
  readonly clock: Clock;
}
