import type { Knex } from 'knex';

export interface EnvironmentVariableRow {
  readonly environment_id: number;
  readonly name: string;
  readonly value: Buffer;
}

/** Sets a variable of an environment. The value must be an envelope of the key ring. */
export async function putVariable(db: Knex, variable: EnvironmentVariableRow): Promise<void> {
  await db<EnvironmentVariableRow>('environment_variables')
    .insert({ environment_id: variable.environment_id, name: variable.name, value: variable.value })
    .onConflict(['environment_id', 'name'])
    .merge(['value']);
}

/** Returns the variables of an environment, sorted by name, byte by byte. */
export async function variablesOf(db: Knex, environmentId: number): Promise<EnvironmentVariableRow[]> {
  return db<EnvironmentVariableRow>('environment_variables')
    .where({ environment_id: environmentId })
    .orderByRaw('name collate "C"')
    .select('environment_id', 'name', 'value');
}

/** @returns false when there is no variable of that name */
export async function deleteVariable(db: Knex, environmentId: number, name: string): Promise<boolean> {
  const deleted = await db<EnvironmentVariableRow>('environment_variables')
    .where({ environment_id: environmentId, name })
    .delete();
  return deleted > 0;
}
