import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import type { Address } from '../../components/reconnect-session.ts';
import { recordName } from '../../components/whose.ts';

export type ConnectionRecord = Reply<'getConnection'>;
export type Health = Reply<'getConnectionHealth'>['data'];
export type Status = Reply<'getConnectionStatus'>['data'];

/** The connection of a page, with everything that its tabs need. */
export interface Found {
  readonly address: Address;
  readonly connection: ConnectionRecord;
  readonly health: Health;
  readonly status: Status;
}

/** Returns the path of a connection in the private interface, or a path below it. */
export function apiPath({ environment, integration, id }: Address, ...below: readonly string[]): string {
  const query = new URLSearchParams({ provider_config_key: integration });
  return `${connectionsPath(environment)}/${pathOf([id, ...below])}?${query}`;
}

export function connectionsPath(environment: string): string {
  return pathOf(['api', 'ui', 'e', environment, 'connections']);
}

/** Returns the prefix of all paths whose values change with a connection: itself, the rows of the list, their number. */
export function changedPath(environment: string): string {
  return pathOf(['api', 'ui', 'e', environment, 'connection']);
}

export function pagePath({ environment, integration, id }: Address, tab: string): string {
  return pathOf(['e', environment, 'connections', integration, id, tab]);
}

/** Returns the address of the list of webhooks that concern the connection. */
export function deliveriesPath(address: Address): string {
  return `${pathOf(['e', address.environment, 'webhooks', 'sent'])}?${logsQuery(address)}`;
}

/** Returns the filters by which lists are limited to the connection. */
export function logsQuery({ integration, id }: Address): URLSearchParams {
  return new URLSearchParams({ integration, connection_id: id });
}

/** Returns whether only the user can make the connection work again. */
export function isBroken({ state, call_status: calls }: Health): boolean {
  return state === 'needs_reauth' || calls === 424;
}

/** Returns the name of the connection, as in lists. */
export function nameOf({ connection }: Pick<Found, 'connection'>): string {
  return recordName(connection);
}
