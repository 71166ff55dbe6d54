import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { idByKey } from '../../integrations/integration-store.ts';
import { Compiler } from '../../scripts/compiler.ts';
import type { ScriptEvent } from '../../scripts/event.ts';
import { deployScript, isDeployed } from '../../scripts/scripts.ts';
import { type Joined, joinDatabase, requireEnvironment } from '../join.ts';
import { printList, refused, usage } from '../output.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type ScriptFile, scriptFiles } from './script-files.ts';

const OPTIONS = { json: { type: 'boolean' }, env: { type: 'string', default: 'dev' } } as const;

/** As it is printed. */
interface Deployed extends Readonly<Record<string, unknown>> {
  readonly integration: string;
  readonly event: ScriptEvent;
  readonly version: number;
  readonly status: 'deployed' | 'unchanged';
}

type ReadyScript = ScriptFile & Prepared;

/** `scripts deploy <dir>`: all scripts of the folder, or, when one is wrong, none. @throws CommandError */
export async function deployCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [dir, ...more] = positionals;
  if (dir === undefined || more.length > 0) throw usage('scripts deploy <dir> [--env NAME]');
  const scripts = await prepareAll(await scriptFiles(dir));
  await using joined = await joinDatabase();
  const environment = await requireEnvironment(joined.db, values.env);
  const deployed = await deployAll(joined, environment.id, scripts);
  printList([...deployed], values.json === true);
}

/** One after the other: each compilation has a time limit. @throws CommandError with every file's faults */
async function prepareAll(files: readonly ScriptFile[]): Promise<readonly ReadyScript[]> {
  const compiler = new Compiler();
  const ready: ReadyScript[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const prepared = await prepare(compiler, file.event, file.path);
    if ('faults' in prepared) faults.push(...prepared.faults);
    else ready.push({ ...file, ...prepared });
  }
  if (faults.length > 0) throw refused(faults.join('\n'));
  return ready;
}

/** @throws CommandError when an integration is not there */
async function deployAll(joined: Joined, environmentId: number, scripts: readonly ReadyScript[]): Promise<readonly Deployed[]> {
  try {
    return await withTransaction(joined.db, async (trx) => {
      const deployed: Deployed[] = [];
      for (const script of scripts) deployed.push(await deploy({ ...joined, db: trx }, environmentId, script));
      return deployed;
    });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unknown_provider_config') throw refused(error.message);
    throw error;
  }
}

async function deploy(
  deps: Pick<Joined, 'keys'> & { readonly db: Knex },
  environmentId: number,
  script: ReadyScript,
): Promise<Deployed> {
  const { integrationKey: uniqueKey, event, language, source, compiled } = script;
  const wanted = { event, language, source };
  const integrationId = await idByKey(deps.db, environmentId, uniqueKey);
  const isUnchanged = integrationId !== undefined && (await isDeployed(deps.db, { environmentId, integrationId, event }, wanted));
  const compiler = { compile: async () => compiled };
  const { version } = await deployScript({ ...deps, compiler }, { environmentId, uniqueKey }, wanted);
  return { integration: uniqueKey, event, version, status: isUnchanged ? 'unchanged' : 'deployed' };
}
