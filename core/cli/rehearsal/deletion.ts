import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { Connection } from '../../connections/connection.ts';
import { hookFacts } from '../../credentials/call-provider.ts';
import { RehearsalFault } from './rehearsal-fault.ts';
import type { Stage } from './stage.ts';
import { notApplicable, ok, type StepOutcome } from './step.ts';

/** What ends at the provider when a connection is deleted: the plugin cleans up, then it or the mode revokes the tokens. */
export async function leave(stage: Stage, connection: Connection): Promise<StepOutcome> {
  const { mode, plugin, definition } = stage;
  const { beforeDeletion, revoke } = plugin.connection ?? {};
  const input = stage.inputWith(connection.connectionConfig);
  const facts = hookFacts({ connection, mode, input, plugin });
  const done: string[] = [];
  if (beforeDeletion !== undefined) {
    await callHook(stage, { ...facts, hook: 'connection.beforeDeletion' }, (ctx) => beforeDeletion(ctx));
    done.push('cleaned up');
  }
  if (revoke !== undefined) {
    await callHook(stage, { ...facts, hook: 'connection.revoke' }, (ctx) => revoke(ctx));
    done.push('revoked by the plugin');
  } else if (definition.revocation_url !== undefined && mode.revoke !== undefined) {
    const outcome = await mode.revoke(stage.modeDeps, input, connection.credentials);
    if (outcome !== 'revoked' && outcome !== 'none')
      throw new RehearsalFault(`the tokens are not revoked (${outcome})`, { path: ['revocation_url'] });
    done.push('the tokens are revoked');
  }
  return done.length === 0 ? notApplicable('neither revocation_url nor a hook for deletions is declared') : ok(done.join(', '));
}
