import type { Connection } from '../connections/connection.ts';
import { type MarkedConnection, runDeletionScript } from './deletion-script.ts';
import type { ScriptDeps } from './deps.ts';
import { type Candidate, validateConnection } from './validate-connection.ts';

/** The scripts in the life of a connection, for whoever begins and ends connections. */
export class ConnectionScripts {
  readonly #deps: ScriptDeps;

  constructor(deps: ScriptDeps) {
    this.#deps = deps;
  }

  /** How long a script may run, and how many run at once. */
  get limits(): ScriptDeps['scriptRunner']['limits'] {
    return this.#deps.scriptRunner.limits;
  }

  /** @throws ServiceError `connection_validation_failed`, with a message for the end user */
  validate(candidate: Candidate): Promise<void> {
    return validateConnection(this.#deps, candidate);
  }

  /** @returns the connection, whose credentials the script may have had renewed */
  beforeDeletion(marked: MarkedConnection): Promise<Connection> {
    return runDeletionScript(this.#deps, marked);
  }
}
