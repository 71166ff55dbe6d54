import type { Knex } from 'knex';

/** A flow that waits for its callback, with its environment. */
interface BegunFlow {
  readonly environmentId: number;
  readonly isProduction: boolean;
}

/** Returns the flow that a `state` belongs to. It tells for which environment an account is about to be connected. */
export async function flowOfState(db: Knex, stateHash: Buffer): Promise<BegunFlow | undefined> {
  const row: { environment_id: number; is_production: boolean } | undefined = await db('authorization_flows as f')
    .join('environments as e', 'e.id', 'f.environment_id')
    .where({ 'f.state_hash': stateHash, 'f.used_at': null, 'e.deleted_at': null })
    .first('f.environment_id', 'e.is_production');
  return row && { environmentId: row.environment_id, isProduction: row.is_production };
}
