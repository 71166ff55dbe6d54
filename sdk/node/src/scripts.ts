import { readFile } from 'node:fs/promises';
import { bundle } from './bundle.ts';
import type { Caller, CallOptions } from './caller.ts';
import { SvcError } from './errors.ts';
import type { Answer, Body } from './operation-types.ts';

/** A script of an integration as it is run now. */
export type Script = Answer<'deployScript'>['data'];
/** One run of a script. */
export type ScriptRun = Answer<'listScriptRuns'>['data'][number];
/** What a script is run on. */
export type ScriptEvent = Script['event'];

/** Which script is meant. */
export interface ScriptAddress {
  /** Of the integration. */
  readonly unique_key: string;
  readonly event: ScriptEvent;
}

/** Code of yours that the service runs in a sandbox when something happens to a connection. */
export class Scripts {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @param uniqueKey of the integration */
  list(uniqueKey: string, options: CallOptions = {}): Promise<Answer<'listScripts'>> {
    return this.#caller.call('listScripts', { path: { uniqueKey }, ...options });
  }

  /** A source that changed becomes a new version, and is run from now on. One that does not compile is refused with its place. */
  deploy(address: ScriptAddress, script: Body<'deployScript'>, options: CallOptions = {}): Promise<Answer<'deployScript'>> {
    return this.#caller.call('deployScript', { path: pathOf(address), body: script, ...options });
  }

  /**
   * Deploys a file, `.ts` or `.js`. What it imports is bundled into it, for which the package `rolldown` has to be installed; a
   * file without imports is deployed as it is.
   */
  async deployFile(address: ScriptAddress, file: string, options: CallOptions = {}): Promise<Answer<'deployScript'>> {
    const source = await readFile(file, 'utf8');
    try {
      return await this.deploy(address, { source, language: file.endsWith('.ts') ? 'typescript' : 'javascript' }, options);
    } catch (error) {
      if (!isAboutImports(error)) throw error;
      return await this.deploy(address, { source: await bundle(file), language: 'javascript' }, options);
    }
  }

  /** Enables or disables a script; `version` rolls it back, or forward. */
  update(address: ScriptAddress, changes: Body<'updateScript'>, options: CallOptions = {}): Promise<Answer<'updateScript'>> {
    return this.#caller.call('updateScript', { path: pathOf(address), body: changes, ...options });
  }

  /** With its versions and runs. */
  delete(address: ScriptAddress, options: CallOptions = {}): Promise<Answer<'deleteScript'>> {
    return this.#caller.call('deleteScript', { path: pathOf(address), ...options });
  }

  /** The latest 100, newest first. */
  runs(address: ScriptAddress, options: CallOptions = {}): Promise<Answer<'listScriptRuns'>> {
    return this.#caller.call('listScriptRuns', { path: pathOf(address), ...options });
  }
}

/** Refused, and for nothing else. */
function isAboutImports(error: unknown): boolean {
  return error instanceof SvcError && error.errors.length > 0 && error.errors.every(({ code }) => code === 'import_refused');
}

function pathOf({ unique_key: uniqueKey, event }: ScriptAddress) {
  return { uniqueKey, event };
}
