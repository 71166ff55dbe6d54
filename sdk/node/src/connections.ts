import type { Caller, CallOptions } from './caller.ts';
import type { ErrorCode } from './errors.ts';
import type { Answer, Body, Query } from './operation-types.ts';

/** Names one connection: its ID alone does not, since several integrations may use the same. */
export interface ConnectionAddress {
  readonly connection_id: string;
  readonly provider_config_key: string;
}

/** A connection without its credentials. */
export type ListedConnection = Answer<'listConnections'>['connections'][number];
/** A connection with credentials that are good now. */
export type Connection = Answer<'getConnection'>;

/** What came of asking for new credentials. */
export interface ForcedRefresh {
  readonly connection: Connection;
  /**
   * Present when the provider could not renew them: why. The credentials are those of before then, and still good. From the
   * header `Svc-Refresh`.
   */
  readonly failure?: ErrorCode;
}

/** How one import is made. */
export interface ImportOptions extends CallOptions {
  /** `false`: no auth webhook is sent for it, such as while many are migrated. */
  readonly notify?: boolean;
}

type ListQuery = Query<'listConnections'>;

/** Accounts of end users at providers, with their credentials. */
export class Connections {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** One page, newest first, without credentials. */
  list(query: ListQuery = {}, options: CallOptions = {}): Promise<Answer<'listConnections'>> {
    return this.#caller.call('listConnections', { query, ...options });
  }

  /** All that match, page after page; what is made meanwhile is not among them. @param query `limit` is the size of a page */
  async *listAll(query: Omit<ListQuery, 'cursor' | 'page'> = {}, options: CallOptions = {}): AsyncGenerator<ListedConnection> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Answer<'listConnections'> = await this.list({ ...query, ...(cursor !== undefined && { cursor }) }, options);
      yield* page.connections;
      cursor = page.next_cursor;
    }
  }

  /** With credentials that are good now. @throws InvalidCredentialsError when the user has to authorize again */
  get(
    { connection_id, ...query }: { readonly connection_id: string } & Query<'getConnection'>,
    options: CallOptions = {},
  ): Promise<Connection> {
    return this.#caller.call('getConnection', { path: { connection_id }, query, ...options });
  }

  /**
   * Has the credentials renewed now, although they may still be good, and says whether that worked; `get` with
   * `force_refresh: 'strict'` throws where it did not. @throws InvalidCredentialsError when the user has to authorize again
   */
  async refresh(
    { connection_id, ...query }: { readonly connection_id: string } & Omit<Query<'getConnection'>, 'force_refresh'>,
    options: CallOptions = {},
  ): Promise<ForcedRefresh> {
    const forced = { path: { connection_id }, query: { ...query, force_refresh: true }, ...options };
    const { answer: connection, headers } = await this.#caller.callWithHeaders('getConnection', forced);
    const failure = failureIn(headers.get('svc-refresh'));
    return { connection, ...(failure !== undefined && { failure }) };
  }

  /** Whether it works, since when, and why not; asks nobody and refreshes nothing. */
  health({ connection_id, ...query }: ConnectionAddress, options: CallOptions = {}): Promise<Answer<'getConnectionHealth'>> {
    return this.#caller.call('getConnectionHealth', { path: { connection_id }, query, ...options });
  }

  /** Stores credentials that you have already; a connection of this ID and integration gets them in place of its own. */
  import(connection: Body<'importConnection'>, { notify, ...options }: ImportOptions = {}): Promise<Answer<'importConnection'>> {
    const query = notify === undefined ? {} : { notify };
    return this.#caller.call('importConnection', { query, body: connection, ...options });
  }

  /** Changes what belongs to you; `tags` replaces all tags. */
  patch(
    { connection_id, ...query }: ConnectionAddress,
    changes: Body<'updateConnection'>,
    options: CallOptions = {},
  ): Promise<Answer<'updateConnection'>> {
    return this.#caller.call('updateConnection', { path: { connection_id }, query, body: changes, ...options });
  }

  delete({ connection_id, ...query }: ConnectionAddress, options: CallOptions = {}): Promise<Answer<'deleteConnection'>> {
    return this.#caller.call('deleteConnection', { path: { connection_id }, query, ...options });
  }

  /** Replaces the metadata of one or several connections, or of none if one of them does not exist. */
  setMetadata(change: Body<'setMetadata'>, options: CallOptions = {}): Promise<Answer<'setMetadata'>> {
    return this.#caller.call('setMetadata', { body: change, ...options });
  }

  /** Merges into the metadata, member by member. */
  updateMetadata(change: Body<'updateMetadata'>, options: CallOptions = {}): Promise<Answer<'updateMetadata'>> {
    return this.#caller.call('updateMetadata', { body: change, ...options });
  }
}

/** As the types say, like every answer of the service. @param header `failed; code=<error code>` */
function failureIn(header: string | null): ErrorCode | undefined {
  const [, code] = /^failed; code=(\w+)$/.exec(header ?? '') ?? [];
  return code as ErrorCode | undefined;
}
