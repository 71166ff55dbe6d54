import type { Connection } from '../connections/connection.ts';
import type { CredentialsDeps } from './deps.ts';
import { recordNeedsReauth } from './refresh-once.ts';

/**
 * Records that the credentials have expired, that nothing can refresh them, and so that the user must authorize again.
 *
 * @param owner the owner of the lease under which this was found; absent when a caller found it
 */
export async function recordExpiry(deps: CredentialsDeps, connection: Connection, owner?: string): Promise<void> {
  const { environmentId, connectionId, providerConfigKey } = connection;
  const about = { environmentId, connectionId, providerConfigKey };
  const operation = deps.activity.begin({ type: 'refresh', operation: 'refresh', ...about });
  const summary = 'the credentials have expired, and there is nothing to refresh them with';
  operation.note('error', summary);
  operation.describe({ summary, errorCode: 'invalid_credentials' });
  await recordNeedsReauth(deps, connection, { cause: 'expired', operation, ...(owner !== undefined && { owner }) });
}
