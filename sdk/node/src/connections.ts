import type { CallOptions } from './caller.ts';
import type { ErrorCode } from './errors.ts';
import type { Body, Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** Identifies a connection: its ID is unique only within an integration. */
export interface ConnectionAddress {
  readonly connection_id: string;
  readonly provider_config_key: string;
}

/** A connection without its credentials. */
export type ListedConnection = ResponseBody<'listConnections'>['connections'][number];
/** A connection with valid credentials. */
export type Connection = ResponseBody<'getConnection'>;

/** The result of a forced refresh. */
export interface ForcedRefresh {
  readonly connection: Connection;
  /** The reason why the refresh failed; the credentials are then unchanged and still valid. From the header `Svc-Refresh`. */
  readonly failure?: ErrorCode;
}

/** Options of an import. */
export interface ImportOptions extends CallOptions {
  /** False to send no auth webhook, e.g. during a migration. */
  readonly notify?: boolean;
}

type ListQuery = Query<'listConnections'>;

/** End users' accounts at providers, with their credentials. */
export class Connections extends Resource {
  /** Returns one page, newest first, without credentials. */
  list(query: ListQuery = {}, options: CallOptions = {}): Promise<ResponseBody<'listConnections'>> {
    return this.caller.call('listConnections', { query, ...options });
  }

  /** Yields all matches, page by page, except those created meanwhile. @param query `limit` is the page size */
  async *listAll(query: Omit<ListQuery, 'cursor' | 'page'> = {}, options: CallOptions = {}): AsyncGenerator<ListedConnection> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: ResponseBody<'listConnections'> = await this.list(
        { ...query, ...(cursor !== undefined && { cursor }) },
        options,
      );
      yield* page.connections;
      cursor = page.next_cursor;
    }
  }

  /** Returns a connection with valid credentials. @throws InvalidCredentialsError when the user must reauthorize */
  get(
    { connection_id, ...query }: { readonly connection_id: string } & Query<'getConnection'>,
    options: CallOptions = {},
  ): Promise<Connection> {
    return this.caller.call('getConnection', { path: { connection_id }, query, ...options });
  }

  /**
   * Refreshes the credentials now, even if they are still valid, and returns whether that worked; `get` with `force_refresh:
   * 'strict'` throws if it did not.
   *
   * @throws InvalidCredentialsError when the user must reauthorize
   */
  async refresh(
    { connection_id, ...query }: { readonly connection_id: string } & Omit<Query<'getConnection'>, 'force_refresh'>,
    options: CallOptions = {},
  ): Promise<ForcedRefresh> {
    const forced = { path: { connection_id }, query: { ...query, force_refresh: true }, ...options };
    const { body: connection, headers } = await this.caller.callWithHeaders('getConnection', forced);
    const failure = failureIn(headers.get('svc-refresh'));
    return { connection, ...(failure !== undefined && { failure }) };
  }

  /** Returns whether a connection works, since when, and why not; without a call to the provider. */
  health(
    { connection_id, ...query }: ConnectionAddress,
    options: CallOptions = {},
  ): Promise<ResponseBody<'getConnectionHealth'>> {
    return this.caller.call('getConnectionHealth', { path: { connection_id }, query, ...options });
  }

  /** Imports existing credentials; replaces those of a connection with this ID and integration. */
  import(
    connection: Body<'importConnection'>,
    { notify, ...options }: ImportOptions = {},
  ): Promise<ResponseBody<'importConnection'>> {
    const query = notify === undefined ? {} : { notify };
    return this.caller.call('importConnection', { query, body: connection, ...options });
  }

  /** Updates your data on the connection; `tags` replaces all tags. */
  patch(
    { connection_id, ...query }: ConnectionAddress,
    changes: Body<'updateConnection'>,
    options: CallOptions = {},
  ): Promise<ResponseBody<'updateConnection'>> {
    return this.caller.call('updateConnection', { path: { connection_id }, query, body: changes, ...options });
  }

  delete({ connection_id, ...query }: ConnectionAddress, options: CallOptions = {}): Promise<ResponseBody<'deleteConnection'>> {
    return this.caller.call('deleteConnection', { path: { connection_id }, query, ...options });
  }

  /** Replaces the metadata of one or several connections; of none if one of them does not exist. */
  setMetadata(change: Body<'setMetadata'>, options: CallOptions = {}): Promise<ResponseBody<'setMetadata'>> {
    return this.caller.call('setMetadata', { body: change, ...options });
  }

  /** Merges top-level fields into the metadata. */
  updateMetadata(change: Body<'updateMetadata'>, options: CallOptions = {}): Promise<ResponseBody<'updateMetadata'>> {
    return this.caller.call('updateMetadata', { body: change, ...options });
  }
}

/**
 * Reads the error code of a failed refresh. It is not validated, like every response of the service.
 *
 * @param header `failed; code=<error code>`
 */
function failureIn(header: string | null): ErrorCode | undefined {
  const [, code] = /^failed; code=(\w+)$/.exec(header ?? '') ?? [];
  return code as ErrorCode | undefined;
}
