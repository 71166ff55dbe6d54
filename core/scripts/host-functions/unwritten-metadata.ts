import type { JsonObject } from '#contract';
import { type HostFunction, ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import type { ScriptEvent } from '../event.ts';
import { NOT_STORED_YET, readMetadata } from './metadata.ts';

/** The functions that a script calls as `svc.<name>`, by name. */
export type HostFunctions = Readonly<Record<string, HostFunction>>;

/**
 * Wraps the functions to write metadata to memory only, where the script can read them back.
 *
 * @param onFirstWrite called at the first write, which will be discarded
 */
export function withUnwrittenMetadata(functions: HostFunctions, onFirstWrite: () => void = () => undefined): HostFunctions {
  let unwritten: JsonObject | undefined;
  const write = (metadata: JsonObject): JsonObject => {
    if (unwritten === undefined) onFirstWrite();
    unwritten = metadata;
    return metadata;
  };
  const current = async (signal: AbortSignal): Promise<JsonObject> =>
    unwritten ?? ((await functions['getMetadata']?.([], signal)) as JsonObject);
  return {
    ...functions,
    getMetadata: (_args, signal) => current(signal),
    getConnection: async (args, signal) => {
      const record = (await functions['getConnection']?.(args, signal)) as JsonObject;
      return unwritten === undefined ? record : { ...record, metadata: unwritten };
    },
    setMetadata: async ([metadata]) => write(readMetadata(metadata)),
    updateMetadata: async ([metadata], signal) => {
      const changes = readMetadata(metadata);
      return write(readMetadata({ ...(await current(signal)), ...changes }));
    },
  };
}

/** Returns the functions for an event: metadata of a connection that is being validated or deleted are not stored. */
export function withWritesOf(event: ScriptEvent, functions: HostFunctions): HostFunctions {
  if (event === 'pre-connection-deletion') return withUnwrittenMetadata(functions);
  if (event !== 'validate-connection') return functions;
  const refuse: HostFunction = async () => {
    throw new ScriptCallError('not_available', NOT_STORED_YET);
  };
  return { ...functions, setMetadata: refuse, updateMetadata: refuse };
}
