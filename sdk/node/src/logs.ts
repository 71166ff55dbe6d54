import type { CallOptions } from './caller.ts';
import type { ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** The operation log. */
export class Logs extends Resource {
  /** @param id the `log_id` of an error of a connection */
  get(id: string, options: CallOptions = {}): Promise<ResponseBody<'getLog'>> {
    return this.caller.call('getLog', { path: { id }, ...options });
  }
}
