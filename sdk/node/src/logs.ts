import type { CallOptions } from './caller.ts';
import type { Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** An operation from the operation log, without its messages. */
export type ListedLog = ResponseBody<'listLogs'>['data'][number];

type ListQuery = Query<'listLogs'>;

/** The operation log. */
export class Logs extends Resource {
  /** Returns one page of operations, newest first, without messages. */
  list(query: ListQuery = {}, options: CallOptions = {}): Promise<ResponseBody<'listLogs'>> {
    return this.caller.call('listLogs', { query, ...options });
  }

  /**
   * Yields all matching operations, page by page, except those that are logged while it runs.
   *
   * @param query `limit` is the page size
   */
  async *listAll(query: Omit<ListQuery, 'cursor'> = {}, options: CallOptions = {}): AsyncGenerator<ListedLog> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: ResponseBody<'listLogs'> = await this.list({ ...query, ...(cursor !== undefined && { cursor }) }, options);
      yield* page.data;
      cursor = page.next_cursor;
    }
  }

  /** @param id the `log_id` that a connection's error contains */
  get(id: string, options: CallOptions = {}): Promise<ResponseBody<'getLog'>> {
    return this.caller.call('getLog', { path: { id }, ...options });
  }
}
