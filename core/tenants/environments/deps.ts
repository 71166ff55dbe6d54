import type { Knex } from 'knex';
import type { Notices } from '../../db/notices.ts';
import type { KeyRing } from '../../kit/key-ring.ts';

export interface EnvironmentsDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Pick<Notices, 'publish'>;
}
