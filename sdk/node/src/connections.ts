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
  /**
   * The reason why the refresh failed or has not ended yet, from the header `Svc-Refresh`; the credentials are then unchanged and
   * still valid. Absent if it succeeded, and for credentials that cannot be refreshed.
   */
  readonly failure?: ErrorCode;
}

/** Options of an import. */
export interface ImportOptions extends CallOptions {
  /** False to suppress the auth webhook, e.g. during a migration. */
  readonly notify?: boolean;
}

type ListQuery = Query<'listConnections'>;

/** End users' accounts at providers, with their credentials. */
export class Connections extends Resource {
  /** Returns one page of connections, newest first, without credentials. */
  list(query: ListQuery = {}, options: CallOptions = {}): Promise<ResponseBody<'listConnections'>> {
    return this.caller.call('listConnections', { query, ...options });
  }

  /**
   * Yields all matching connections, page by page, except those that are created while it runs.
   *
   * @param query `limit` is the page size
   */
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
   * Refreshes the credentials now, even if they are still valid. Returns the connection and, if the refresh failed, the reason.
   * To get an error instead, call `get` with `force_refresh: 'strict'`.
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

  /** Returns whether a connection works, since when, and if not, why. The provider is not called. */
  health(
    { connection_id, ...query }: ConnectionAddress,
    options: CallOptions = {},
  ): Promise<ResponseBody<'getConnectionHealth'>> {
    return this.caller.call('getConnectionHealth', { path: { connection_id }, query, ...options });
  }

  /** Imports existing credentials. If the integration has a connection with the same ID, its credentials are replaced. */
  import(
    connection: Body<'importConnection'>,
    { notify, ...options }: ImportOptions = {},
  ): Promise<ResponseBody<'importConnection'>> {
    const query = notify === undefined ? {} : { notify };
    return this.caller.call('importConnection', { query, body: connection, ...options });
  }

  /** Updates the data that you keep with a connection; `tags` replaces all of its tags. */
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

  /** Replaces the metadata of one or more connections. If one of them does not exist, nothing is changed. */
  setMetadata(change: Body<'setMetadata'>, options: CallOptions = {}): Promise<ResponseBody<'setMetadata'>> {
    return this.caller.call('setMetadata', { body: change, ...options });
  }

  /** Merges top-level fields into the existing metadata of connections. */
  updateMetadata(change: Body<'updateMetadata'>, options: CallOptions = {}): Promise<ResponseBody<'updateMetadata'>> {
    return this.caller.call('updateMetadata', { body: change, ...options });
  }
}

/**
 * Reads the error code of a failed refresh. Like all responses of the service, it is not validated.
 *
 * @param header `failed; code=<error code>`
 */
function failureIn(header: string | null): ErrorCode | undefined {
  const [, code] = /^failed; code=(\w+)$/.exec(header ?? '') ?? [];
  return code as ErrorCode | undefined;
}
