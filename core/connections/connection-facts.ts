import type { ConnectionFacts } from '#contract';
import type { Connection } from './connection.ts';

type Source = Pick<Connection, 'connectionId' | 'providerConfigKey' | 'provider' | 'connectionConfig' | 'metadata' | 'tags'>;

/** Returns the connection as a plugin's hooks see it. */
export function connectionFacts(connection: Source): ConnectionFacts {
  const { connectionId, providerConfigKey, provider, connectionConfig, metadata, tags } = connection;
  return { connectionId, integrationId: providerConfigKey, provider, connectionConfig, metadata, tags };
}
