import type { StoreDeps } from '../../db/store-deps.ts';
import type { Place } from '../../kit/key-ring.ts';
import { putVariable, variablesOf } from './variable-store.ts';

export interface Variable {
  readonly name: string;
  readonly value: string;
}

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

export function isVariableName(text: string): boolean {
  return VARIABLE_NAME.test(text);
}

/** Sets a variable of an environment. It is stored encrypted. */
export async function setVariable({ db, keys }: StoreDeps, environmentId: number, { name, value }: Variable): Promise<void> {
  const envelope = keys.encrypt(value, variablePlace(environmentId, name));
  await putVariable(db, { environment_id: environmentId, name, value: envelope });
}

/** Returns the variables of an environment, sorted by name. */
export async function readVariables({ db, keys }: StoreDeps, environmentId: number): Promise<Variable[]> {
  const rows = await variablesOf(db, environmentId);
  return rows.map(({ name, value }) => ({ name, value: keys.decrypt(value, variablePlace(environmentId, name)) }));
}

/** Binds the encrypted value to its variable's name, so that the values of two variables cannot be swapped. */
export function variablePlace(environmentId: number, name: string): Place {
  return { table: 'environment_variables', column: `value:${name}`, environmentId, rowId: environmentId };
}
