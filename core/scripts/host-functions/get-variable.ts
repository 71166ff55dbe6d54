import { ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import { readVariables } from '../../environments/variables.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';

/** A variable of the run's own environment; null: it has none of that name. @throws ScriptCallError `invalid_arguments` */
export async function getVariable(deps: ScriptDeps, { connection }: RunSubject, name: unknown): Promise<string | null> {
  if (typeof name !== 'string') throw new ScriptCallError('invalid_arguments', 'the name of a variable must be a string');
  const variables = await readVariables(deps, connection.environmentId);
  return variables.find((variable) => variable.name === name)?.value ?? null;
}
