import { readdir, readFile, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { type Fault, listFolders } from '../catalogue/folders.ts';
import { integrationsOf } from '../connections/integrations/integration-store.ts';
import { INTEGRATION_TOPIC } from '../connections/integrations/integrations.ts';
import type { Notices } from '../db/notices.ts';
import { ServiceError } from '../errors.ts';
import { errorCode } from '../kit/error-code.ts';
import type { Logger } from '../kit/logger.ts';
import { firstEnvironment } from '../tenants/environments/environment-store.ts';
import type { ScriptSource } from './compile.ts';
import { isScriptEvent, type Language, type ScriptEvent } from './event.ts';
import { type DeployDeps, deployScript, isDeployed } from './scripts.ts';
import { MAX_SOURCE_BYTES } from './source-fault.ts';

const LANGUAGE_OF: Readonly<Record<string, Language>> = { '.ts': 'typescript', '.js': 'javascript' };
/**
 * Milliseconds between searches for new integrations, for when notices do not arrive: behind a pooler, or if the database is
 * unreachable.
 */
const LOOK_EVERY_MS = 30_000;

/** A script file at `<dir>/<unique_key>/<event>.{ts,js}`. */
interface ScriptFile extends ScriptSource {
  /** The folder's name: the key of an integration. */
  readonly uniqueKey: string;
  readonly file: string;
}

/**
 * Reads all scripts below these directories, and lists the faults of other files. Of two scripts for the same key and event the
 * first is used.
 */
export async function readScriptFolders(dirs: readonly string[]): Promise<{ scripts: ScriptFile[]; faults: Fault[] }> {
  const { folders, faults } = listFolders(dirs);
  const scripts = new Map<string, ScriptFile>();
  for (const { name, directory } of folders) {
    const files = await readdir(directory).catch(unreadable);
    if (!Array.isArray(files)) faults.push({ folder: name, file: name, ...files });
    for (const file of Array.isArray(files) ? files : []) {
      const read = await readScript(directory, file);
      if (read === undefined) continue;
      const reason = 'reason' in read ? read.reason : twice(scripts.get(`${name}/${read.event}`));
      if (reason !== undefined) faults.push({ folder: name, file, reason });
      else if ('source' in read) scripts.set(`${name}/${read.event}`, { uniqueKey: name, file, ...read });
    }
  }
  return { scripts: [...scripts.values()], faults };
}

type ReadScript = ScriptSource | { readonly reason: string };

/** Returns undefined for a file that is not a script. */
async function readScript(directory: string, file: string): Promise<ReadScript | undefined> {
  const { name, ext } = parse(file);
  const language = LANGUAGE_OF[ext];
  if (language === undefined || file.startsWith('.') || file.endsWith('.d.ts')) return undefined;
  if (!isScriptEvent(name)) return { reason: 'its name is not an event; scripts are named after their event' };
  return readSource(join(directory, file), name, language);
}

async function readSource(path: string, event: ScriptEvent, language: Language): Promise<ReadScript> {
  try {
    const { size } = await stat(path);
    if (size > MAX_SOURCE_BYTES) return { reason: `it has ${size} bytes; a script has at most 256 KB (262,144)` };
    return { event, language, source: await readFile(path, 'utf8') };
  } catch (cause) {
    return unreadable(cause);
  }
}

function unreadable(cause: unknown): { readonly reason: string } {
  return { reason: `cannot be read (${errorCode(cause) ?? 'unknown error'})` };
}

function twice(other: ScriptFile | undefined): string | undefined {
  return other && `there is another script for this integration and event (${other.file}), which is used`;
}

type DirectoryParts = DeployDeps & { readonly notices: Notices; readonly log: Logger };

/**
 * Deploys scripts of folders (`SVC_SCRIPTS_DIR`) to the first environment: those of existing integrations at the start, others as
 * soon as any instance creates their integration. Each integration gets its scripts once per process, so that later deployments
 * and rollbacks remain in effect.
 */
export class ScriptsDirectory implements AsyncDisposable {
  readonly #deps: DirectoryParts;
  readonly #dirs: readonly string[];
  readonly #scripts = new Map<string, ScriptFile[]>();
  /** By key of the integration, the row ID that it had when its scripts were deployed: with another ID, it is a new one. */
  readonly #deployed = new Map<string, number>();
  #environmentId = 0;
  #work: Promise<void> = Promise.resolve();
  #isAsked = false;
  #isClosed = false;
  #unsubscribe = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DirectoryParts, dirs: readonly string[]) {
    this.#deps = deps;
    this.#dirs = dirs;
  }

  /** Resolves when the scripts of existing integrations are deployed. Scripts that do not compile are logged and skipped. */
  async start(): Promise<void> {
    if (this.#dirs.length === 0) return;
    await this.#read();
    const environment = await firstEnvironment(this.#deps.db);
    if (environment === undefined || this.#scripts.size === 0) return;
    this.#environmentId = environment.id;
    this.#deps.log.info('scripts of SVC_SCRIPTS_DIR are deployed to the first environment', { environment: environment.name });
    await this.look();
    const look = () => void this.look();
    const isOurs = (notice: string) => notice.startsWith(`${environment.id}\n`);
    this.#unsubscribe = this.#deps.notices.subscribe(INTEGRATION_TOPIC, (notice) => isOurs(notice) && look(), look);
    this.#timer = setInterval(look, LOOK_EVERY_MS).unref();
  }

  /**
   * Deploys missing scripts. Only one search for them runs at a time; requests during a search share the next one. Never rejects.
   */
  look(): Promise<void> {
    if (!this.#isAsked) {
      this.#isAsked = true;
      this.#work = this.#work.then(() => {
        this.#isAsked = false;
        return this.#deployMissing();
      });
    }
    return this.#work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#work;
  }

  async #read(): Promise<void> {
    const { scripts, faults } = await readScriptFolders(this.#dirs);
    // Each file is named in the message: lines with the same message count as alike, and only a few of them are written.
    for (const fault of faults) this.#deps.log.error(`a script could not be deployed: ${fault.file}`, { ...fault });
    for (const [key, ofKey] of Map.groupBy(scripts, ({ uniqueKey }) => uniqueKey)) this.#scripts.set(key, ofKey);
  }

  /** Deploys missing scripts once. Failures are retried at the next search. */
  async #deployMissing(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const integrations = await integrationsOf(this.#deps.db, this.#environmentId);
      for (const { id, uniqueKey } of integrations) {
        const scripts = this.#scripts.get(uniqueKey) ?? [];
        if (this.#deployed.get(uniqueKey) === id) continue;
        for (const script of scripts) await this.#deploy(id, script);
        this.#deployed.set(uniqueKey, id);
      }
    } catch (error) {
      this.#deps.log.warn('scripts of SVC_SCRIPTS_DIR could not be deployed yet; this is retried', { error });
    }
  }

  async #deploy(integrationId: number, { uniqueKey, file, ...source }: ScriptFile): Promise<void> {
    const { db, log } = this.#deps;
    const environmentId = this.#environmentId;
    if (await isDeployed(db, { environmentId, integrationId, event: source.event }, source)) return;
    const about = { folder: uniqueKey, file };
    try {
      const { version } = await deployScript(this.#deps, { environmentId, uniqueKey }, source);
      log.info('a script was deployed', { ...about, version });
    } catch (error) {
      // Other scripts of the folder may be valid. If the integration has been deleted, a new one with its key will be announced.
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      log.error(`a script could not be deployed: ${uniqueKey}/${file}`, { ...about, reason: error.message });
    }
  }
}
