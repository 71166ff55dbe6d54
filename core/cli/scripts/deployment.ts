import { idByKey, integrationsOf } from '../../connections/integrations/integration-store.ts';
import { withTransaction } from '../../db/transaction.ts';
import type { AuditContext } from '../../journal/audit-trail/entry.ts';
import type { ScriptEvent } from '../../scripts/event.ts';
import { deployScript, isDeployed } from '../../scripts/scripts.ts';
import { auditContext } from '../audit-context.ts';
import { type CommandContext, openContext, requireEnvironment } from '../command-context.ts';
import type { PreparedScript } from './prepare.ts';
import type { LocalScript } from './script-files.ts';

export type ReadyScript = LocalScript & PreparedScript;

/** The result of deploying a script, as it is printed. */
export interface Deployed extends Readonly<Record<string, unknown>> {
  readonly integration: string;
  readonly event: ScriptEvent;
  readonly version: number;
  readonly status: 'deployed' | 'unchanged';
}

/** Where scripts are deployed to: the database of this installation, or the API of a remote service. */
export interface Deployment extends AsyncDisposable {
  integrationKeys(): Promise<readonly string[]>;
  /** @throws CommandError when a script is rejected, or the service cannot be reached */
  deploy(scripts: readonly ReadyScript[]): Promise<readonly Deployed[]>;
}

/** Deploys to the database of this installation, in one transaction. @throws CommandError for an unknown environment */
export async function localDeployment(environmentName: string): Promise<Deployment> {
  await using opened = new AsyncDisposableStack();
  const context = opened.use(await openContext());
  const environment = await requireEnvironment(context.db, environmentName);
  const { id: environmentId } = environment;
  const audit = auditContext(environment);
  const closing = opened.move();
  return {
    integrationKeys: async () => (await integrationsOf(context.db, environmentId)).map(({ uniqueKey }) => uniqueKey),
    deploy: (scripts) =>
      withTransaction(context.db, async (trx) => {
        const deployed: Deployed[] = [];
        for (const script of scripts) deployed.push(await deployOne({ ...context, db: trx }, { environmentId, audit }, script));
        return deployed;
      }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function deployOne(
  context: Pick<CommandContext, 'keys' | 'db' | 'activity'>,
  { environmentId, audit }: { readonly environmentId: number; readonly audit: AuditContext },
  { integrationKey: uniqueKey, event, language, source, compiled }: ReadyScript,
): Promise<Deployed> {
  const input = { event, language, source };
  const integrationId = await idByKey(context.db, environmentId, uniqueKey);
  const isUnchanged =
    integrationId !== undefined && (await isDeployed(context.db, { environmentId, integrationId, event }, input));
  const compiler = { compile: async () => compiled };
  const { version } = await deployScript({ ...context, compiler }, { environmentId, uniqueKey, audit }, input);
  return { integration: uniqueKey, event, version, status: isUnchanged ? 'unchanged' : 'deployed' };
}
