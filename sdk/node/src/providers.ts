import type { CallOptions } from './caller.ts';
import type { Answer, Query } from './operation-types.ts';
import { Resource } from './resource.ts';

/** An external API, as described in the catalogue. */
export type Provider = Answer<'getProvider'>['data'];

/** The catalogue. */
export class Providers extends Resource {
  list(query: Query<'listProviders'> = {}, options: CallOptions = {}): Promise<Answer<'listProviders'>> {
    return this.caller.call('listProviders', { query, ...options });
  }

  /** @param name its slug, as in `provider` of an integration */
  get(name: string, options: CallOptions = {}): Promise<Answer<'getProvider'>> {
    return this.caller.call('getProvider', { path: { slug: name }, ...options });
  }
}
