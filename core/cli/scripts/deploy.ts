import { parseArgs } from 'node:util';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { Compiler } from '../../scripts/compiler.ts';
import { commandError, printList, usageError } from '../output.ts';
import { type Deployment, localDeployment, type ReadyScript } from './deployment.ts';
import { prepare } from './prepare.ts';
import { remoteDeployment } from './remote-deployment.ts';
import { type LocalScript, scriptFiles } from './script-files.ts';

const TEXT = { type: 'string' } as const;
const OPTIONS = { json: { type: 'boolean' }, env: TEXT, url: TEXT, key: TEXT } as const;
const USAGE = 'scripts deploy <dir> [--env NAME], or scripts deploy <dir> --url URL --key API_KEY';

/**
 * `scripts deploy <dir>`: deploys all scripts of the folder, or none if there is a fault.
 *
 * @throws CommandError with every fault
 */
export async function deployCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [dir, ...more] = positionals;
  if (dir === undefined || more.length > 0) throw usageError(USAGE);
  await using deployment = await deploymentOf(values);
  const { files, faults } = await scriptFiles(dir);
  const prepared = await prepareAll(files);
  const unknown = unknownIntegrations(files, await deployment.integrationKeys());
  const all = [...faults, ...prepared.faults, ...unknown];
  if (all.length > 0) throw commandError(all.join('\n'));
  printList([...(await deployment.deploy(prepared.scripts))], values.json === true);
}

/** Opens the installation that the flags name. An API key belongs to one environment, so `--env` is not allowed with it. */
async function deploymentOf({ env, url, key }: Readonly<Record<string, string | boolean | undefined>>): Promise<Deployment> {
  if (url === undefined && key === undefined) return localDeployment(String(env ?? 'dev'));
  if (typeof url !== 'string' || typeof key !== 'string' || env !== undefined) throw usageError(USAGE);
  return remoteDeployment({ url, key });
}

/** Prepares the scripts one after the other, since each compilation has a time limit. */
async function prepareAll(
  files: readonly LocalScript[],
): Promise<{ scripts: readonly ReadyScript[]; faults: readonly string[] }> {
  const compiler = new Compiler();
  const scripts: ReadyScript[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const prepared = await prepare(compiler, file.event, file.path);
    if ('faults' in prepared) faults.push(...prepared.faults);
    else scripts.push({ ...file, ...prepared });
  }
  return { scripts, faults };
}

function unknownIntegrations(files: readonly LocalScript[], known: readonly string[]): string[] {
  const keys = new Set(files.map(({ integrationKey }) => integrationKey));
  return [...keys]
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = didYouMean(key, known);
      return `no integration has the key "${key}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
    });
}
