import { withTransaction } from '../../db/transaction.ts';
import { idByKey, integrationsOf } from '../../integrations/integration-store.ts';
import type { ScriptEvent } from '../../scripts/event.ts';
import { deployScript, isDeployed } from '../../scripts/scripts.ts';
import { type Joined, joinDatabase, requireEnvironment } from '../join.ts';
import type { Prepared } from './prepare.ts';
import type { ScriptFile } from './script-files.ts';

export type ReadyScript = ScriptFile & Prepared;

/** As it is printed. */
export interface Deployed extends Readonly<Record<string, unknown>> {
  readonly integration: string;
  readonly event: ScriptEvent;
  readonly version: number;
  readonly status: 'deployed' | 'unchanged';
}

/** Where scripts are deployed. */
export interface Deployment extends AsyncDisposable {
  integrationKeys(): Promise<readonly string[]>;
  /** @throws CommandError */
  deploy(scripts: readonly ReadyScript[]): Promise<readonly Deployed[]>;
}

/** The database of this machine's installation, all in one transaction. @throws CommandError for an unknown environment */
export async function localDeployment(environmentName: string): Promise<Deployment> {
  await using opened = new AsyncDisposableStack();
  const joined = opened.use(await joinDatabase());
  const { id: environmentId } = await requireEnvironment(joined.db, environmentName);
  const closing = opened.move();
  return {
    integrationKeys: async () => (await integrationsOf(joined.db, environmentId)).map(({ uniqueKey }) => uniqueKey),
    deploy: (scripts) =>
      withTransaction(joined.db, async (trx) => {
        const deployed: Deployed[] = [];
        for (const script of scripts) deployed.push(await deployOne({ ...joined, db: trx }, environmentId, script));
        return deployed;
      }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function deployOne(
  deps: Pick<Joined, 'keys' | 'db'>,
  environmentId: number,
  { integrationKey: uniqueKey, event, language, source, compiled }: ReadyScript,
): Promise<Deployed> {
  const wanted = { event, language, source };
  const integrationId = await idByKey(deps.db, environmentId, uniqueKey);
  const isUnchanged = integrationId !== undefined && (await isDeployed(deps.db, { environmentId, integrationId, event }, wanted));
  const compiler = { compile: async () => compiled };
  const { version } = await deployScript({ ...deps, compiler }, { environmentId, uniqueKey }, wanted);
  return { integration: uniqueKey, event, version, status: isUnchanged ? 'unchanged' : 'deployed' };
}
