import type { Dialect } from '../../../core/cli/rehearsal/dialect.ts';
import type { GrantRules, Grants } from './grants.ts';

/** What holds for every request; may be changed while the provider runs. */
export interface ProviderSettings extends GrantRules {
  clientAuth: 'basic' | 'body' | 'any';
  bodyFormat: 'form' | 'json' | 'any';
  /** RFC 9207: `iss` in the callback. */
  issuerInCallback: boolean;
  /** The API accepts calls without a live token; for the auth modes that are not OAuth. */
  openApi: boolean;
  dialect: Dialect;
}

/** What the endpoints know of the provider they belong to. */
export interface Provider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The registered clients: the secrets of each, by client ID. */
  readonly clients: ReadonlyMap<string, ReadonlySet<string>>;
  readonly settings: Readonly<ProviderSettings>;
  readonly grants: Grants;
}
