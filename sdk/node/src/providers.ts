import type { CallOptions } from './caller.ts';
import type { Query, ResponseBody } from './operation-types.ts';
import { Resource } from './resource.ts';

/** An external API, as described in the catalogue of providers. */
export type Provider = ResponseBody<'getProvider'>['data'];

/** The catalogue of providers. */
export class Providers extends Resource {
  list(query: Query<'listProviders'> = {}, options: CallOptions = {}): Promise<ResponseBody<'listProviders'>> {
    return this.caller.call('listProviders', { query, ...options });
  }

  /** @param name the provider's slug, as in the field `provider` of an integration */
  get(name: string, options: CallOptions = {}): Promise<ResponseBody<'getProvider'>> {
    return this.caller.call('getProvider', { path: { slug: name }, ...options });
  }
}
