import { withRenewability } from '../../credentials/renewability.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import type { LifecycleDeps } from '../deps.ts';
import { type AdmittedPlan, ChoiceNeeded, type ConnectionPlan } from './connection-plan.ts';
import { proveConnection, withConfig } from './prove.ts';

/**
 * Runs every check that can reject a connection: the provider and its plugin, and last the integration's script. It writes
 * nothing, so a rejection changes nothing.
 *
 * @returns the choice that the user has to make first, if the plan says that the user can be asked
 * @throws as `proveConnection`; ServiceError `connection_validation_failed` if the script rejects the connection
 */
export async function admit(deps: LifecycleDeps, plan: ConnectionPlan): Promise<AdmittedPlan | ChoiceNeeded> {
  const credentials = withRenewability(deps, plan.input, plan.credentials);
  try {
    return await notingCalls(plan.note, () => prove(deps, { ...plan, credentials }));
  } catch (cause) {
    if (cause instanceof ChoiceNeeded) return cause;
    throw cause;
  }
}

async function prove(deps: LifecycleDeps, plan: ConnectionPlan): Promise<AdmittedPlan> {
  const { connection, providerAccount, discovered } = await proveConnection(deps, plan);
  await deps.scripts.validate({ integration: plan.integration, connection });
  const config = { ...plan.addedConfig, ...discovered, ...plan.fixedConfig };
  return { ...withConfig(plan, plan, config), providerAccount };
}
