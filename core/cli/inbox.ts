import type { Environment, EnvironmentChanges } from '../environments/environment-store.ts';
import type { CommandContext } from './command-context.ts';
import { commandError } from './output.ts';

/** What stands for the address of the environment's own inbox. */
export const INBOX = 'inbox';

/** @throws CommandError for a production environment */
export function withInbox(
  { config }: Pick<CommandContext, 'config'>,
  { uuid, name, isProduction }: Environment,
  changes: EnvironmentChanges,
): EnvironmentChanges {
  if (changes.webhook_url !== INBOX) return changes;
  if (isProduction) throw commandError(`"${name}" is a production environment: it has no inbox`);
  return { ...changes, webhook_url: `${config.SVC_BASE_URL}/sandbox/inbox/${uuid}` };
}
