import { type HostFunction, ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import { readVariables } from '../../environments/variables.ts';
import { ServiceError } from '../../errors.ts';
import type { ScriptDeps } from '../deps.ts';
import type { RunSubject } from '../subject.ts';
import { callProvider } from './call-provider.ts';
import { getIntegration } from './get-integration.ts';
import { getMetadata, writeMetadata } from './metadata.ts';
import { getConnection } from './own-connection.ts';
import { type HostFunctions, withUnwrittenMetadata } from './unwritten-metadata.ts';

const NOT_KEPT = 'the connection is being deleted: the metadata that the script wrote are not kept';

/** What a run learns of its own calls. */
interface RunObserver {
  /** Gets what the author should read in the log of the run. */
  readonly note?: (message: string) => void;
  /** Gets each value of a variable that the script reads. */
  readonly onVariable?: (value: string) => void;
}

/**
 * What a script may ask for, by the name that `svc` has for it. All act for the run's own connection, and take nothing from the
 * script but data.
 */
export function hostFunctionsOf(
  deps: ScriptDeps,
  subject: RunSubject,
  { note = () => undefined, onVariable = () => undefined }: RunObserver = {},
): HostFunctions {
  const functions: HostFunctions = {
    getIntegration: () => getIntegration(deps, subject),
    getConnection: () => getConnection(deps, subject),
    getMetadata: () => getMetadata(deps, subject),
    setMetadata: ([metadata]) => writeMetadata(deps, subject, { metadata, merge: false }),
    updateMetadata: ([metadata]) => writeMetadata(deps, subject, { metadata, merge: true }),
    getVariable: async ([name]) => {
      const value = await getVariable(deps, subject, name);
      if (value !== null) onVariable(value);
      return value;
    },
    proxy: ([request], signal) => callProvider(deps, subject, { request, signal }),
  };
  const guarded = ([name, run]: [string, HostFunction]): [string, HostFunction] => [name, withSafeErrors(deps, name, run)];
  const possible = subject.kind === 'marked' ? withUnwrittenMetadata(functions, () => note(NOT_KEPT)) : functions;
  return Object.fromEntries(Object.entries(possible).map(guarded));
}

/** A variable of the run's own environment; null if there is none. @throws ScriptCallError `invalid_arguments` */
async function getVariable(deps: ScriptDeps, { connection }: RunSubject, name: unknown): Promise<string | null> {
  if (typeof name !== 'string') throw new ScriptCallError('invalid_arguments', 'the name of a variable must be a string');
  const variables = await readVariables(deps, connection.environmentId);
  return variables.find((variable) => variable.name === name)?.value ?? null;
}

/** Errors that API callers may read reach the script as well; of any other it learns that the call failed. */
function withSafeErrors({ log }: ScriptDeps, name: string, run: HostFunction): HostFunction {
  return async (args, signal) => {
    try {
      return await run(args, signal);
    } catch (error) {
      if (error instanceof ServiceError) throw new ScriptCallError(error.code, error.message, { status: error.status });
      if (!(error instanceof ScriptCallError) && !signal.aborted) log.error('a call of a script failed', { name, error });
      throw error;
    }
  };
}
