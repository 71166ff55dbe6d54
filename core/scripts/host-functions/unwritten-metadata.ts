import type { JsonObject } from '#contract';
import { type HostFunction, ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import type { ScriptEvent } from '../event.ts';
import { NOT_WRITABLE, readMetadata } from './metadata.ts';

/** By the names that `svc` has for them. */
export type HostFunctions = Readonly<Record<string, HostFunction>>;

const REASONS: Partial<Record<ScriptEvent, string>> = {
  'validate-connection': NOT_WRITABLE.candidate,
  'pre-connection-deletion': NOT_WRITABLE.marked,
};

/** The functions, but metadata that the script writes stay in memory: it reads them back, and nobody else sees them. */
export function withUnwrittenMetadata(functions: HostFunctions): HostFunctions {
  let unwritten: JsonObject | undefined;
  const current = async (signal: AbortSignal): Promise<JsonObject> =>
    unwritten ?? ((await functions['getMetadata']?.([], signal)) as JsonObject);
  return {
    ...functions,
    getMetadata: (_args, signal) => current(signal),
    getConnection: async (args, signal) => {
      const record = (await functions['getConnection']?.(args, signal)) as JsonObject;
      return unwritten === undefined ? record : { ...record, metadata: unwritten };
    },
    setMetadata: async ([metadata]) => {
      unwritten = readMetadata(metadata);
      return unwritten;
    },
    updateMetadata: async ([metadata], signal) => {
      const changes = readMetadata(metadata);
      unwritten = readMetadata({ ...(await current(signal)), ...changes });
      return unwritten;
    },
  };
}

/** The functions as they are on an event: while a connection is judged or deleted its metadata cannot be written. */
export function withWritesOf(event: ScriptEvent, functions: HostFunctions): HostFunctions {
  const reason = REASONS[event];
  if (reason === undefined) return functions;
  const refuse: HostFunction = async () => {
    throw new ScriptCallError('not_available', reason);
  };
  return { ...functions, setMetadata: refuse, updateMetadata: refuse };
}
