import type { ConnectionAddress } from '../connections/connection-store.ts';
import { type Caller, environmentOf } from '../http/caller.ts';

/** How requests name a connection. */
interface Named {
  readonly connection_id: string;
  readonly provider_config_key: string;
}

/** The connection that a request means: one of the caller's own environment. */
export function addressOf(caller: Caller, { connection_id: connectionId, provider_config_key }: Named): ConnectionAddress {
  return { environmentId: environmentOf(caller), providerConfigKey: provider_config_key, connectionId };
}
