import type { Caller, CallOptions } from './caller.ts';
import type { Answer } from './operation-types.ts';

/** The operation log. */
export class Logs {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @param id the `log_id` of an error of a connection */
  get(id: string, options: CallOptions = {}): Promise<Answer<'getLog'>> {
    return this.#caller.call('getLog', { path: { id }, ...options });
  }
}
