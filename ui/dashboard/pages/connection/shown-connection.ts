import type { Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { recordName } from '../../components/whose.ts';

export type ConnectionRecord = Reply<'getConnection'>;
export type Health = Reply<'getConnectionHealth'>['data'];
export type Status = Reply<'getConnectionStatus'>['data'];

/** Which connection a page is about: its ID is unique within its integration only. */
export interface Address {
  readonly environment: string;
  readonly integration: string;
  readonly id: string;
}

/** What is known of it, for every tab. */
export interface Found {
  readonly address: Address;
  readonly connection: ConnectionRecord;
  readonly health: Health;
  readonly status: Status;
}

/** Of the interface: the connection, or what is below it. */
export function apiPath({ environment, integration, id }: Address, ...below: readonly string[]): string {
  const query = new URLSearchParams({ provider_config_key: integration });
  return `${connectionsPath(environment)}/${pathOf([id, ...below])}?${query}`;
}

export function connectionsPath(environment: string): string {
  return pathOf(['api', 'ui', 'e', environment, 'connections']);
}

/** The beginning of all that changes with a connection: itself, the rows of the list, their number. */
export function changedPath(environment: string): string {
  return pathOf(['api', 'ui', 'e', environment, 'connection']);
}

export function pagePath({ environment, integration, id }: Address, tab: string): string {
  return pathOf(['e', environment, 'connections', integration, id, tab]);
}

/** Messages to the application that are about it. */
export function deliveriesPath(address: Address): string {
  return `${pathOf(['e', address.environment, 'settings', 'webhooks'])}?${logsQuery(address)}`;
}

/** Filters of lists. */
export function logsQuery({ integration, id }: Address): URLSearchParams {
  return new URLSearchParams({ integration, connection_id: id });
}

/** What people call it, as in the list. */
export function nameOf({ connection }: Pick<Found, 'connection'>): string {
  return recordName(connection);
}
