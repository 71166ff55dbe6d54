import { readFile } from 'node:fs/promises';
import { bundle } from './bundle.ts';
import type { CallOptions } from './caller.ts';
import { SvcError } from './errors.ts';
import type { Body, Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** The active version of a script. */
export type Script = ResponseBody<'deployScript'>['data'];
/** One run of a script. */
export type ScriptRun = ResponseBody<'listScriptRuns'>['data'][number];
/** The event that triggers a script. */
export type ScriptEvent = Script['event'];

/** Identifies a script. */
export interface ScriptAddress {
  /** The unique key of the integration. */
  readonly unique_key: string;
  readonly event: ScriptEvent;
}

/** Scripts: your own code, which the service runs in a sandbox on events of a connection. */
export class Scripts extends Resource {
  /** @param uniqueKey the unique key of the integration */
  list(uniqueKey: string, options: CallOptions = {}): Promise<ResponseBody<'listScripts'>> {
    return this.caller.call('listScripts', { path: { uniqueKey }, ...options });
  }

  /**
   * Deploys a script. A changed source becomes a new, active version. A source that does not compile is rejected, with the
   * position of the error.
   */
  deploy(address: ScriptAddress, script: Body<'deployScript'>, options: CallOptions = {}): Promise<ResponseBody<'deployScript'>> {
    return this.caller.call('deployScript', { path: pathOf(address), body: script, ...options });
  }

  /**
   * Deploys a `.ts` or `.js` file. Imports are bundled, which requires the package `rolldown`; a file without imports is deployed
   * unchanged.
   */
  async deployFile(address: ScriptAddress, file: string, options: CallOptions = {}): Promise<ResponseBody<'deployScript'>> {
    const source = await readFile(file, 'utf8');
    try {
      return await this.deploy(address, { source, language: file.endsWith('.ts') ? 'typescript' : 'javascript' }, options);
    } catch (error) {
      if (!isAboutImports(error)) throw error;
      return await this.deploy(address, { source: await bundle(file), language: 'javascript' }, options);
    }
  }

  /** Enables or disables a script; `version` activates another version, to roll back or forward. */
  update(
    address: ScriptAddress,
    changes: Body<'updateScript'>,
    options: CallOptions = {},
  ): Promise<ResponseBody<'updateScript'>> {
    return this.caller.call('updateScript', { path: pathOf(address), body: changes, ...options });
  }

  /** Deletes a script, its versions and its runs. */
  delete(address: ScriptAddress, options: CallOptions = {}): Promise<ResponseBody<'deleteScript'>> {
    return this.caller.call('deleteScript', { path: pathOf(address), ...options });
  }

  /** Returns the latest 100 runs, newest first; with `connection_id`, only those for that connection. */
  runs(
    { unique_key, event, ...query }: ScriptAddress & Query<'listScriptRuns'>,
    options: CallOptions = {},
  ): Promise<ResponseBody<'listScriptRuns'>> {
    return this.caller.call('listScriptRuns', { path: pathOf({ unique_key, event }), query, ...options });
  }
}

/** Returns whether a script was rejected only because of its imports, so that a bundle of it may be accepted. */
function isAboutImports(error: unknown): boolean {
  return error instanceof SvcError && error.errors.length > 0 && error.errors.every(({ code }) => code === 'import_refused');
}

function pathOf({ unique_key: uniqueKey, event }: ScriptAddress) {
  return { uniqueKey, event };
}
