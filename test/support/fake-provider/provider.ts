import type { Dialect } from '../../../core/cli/rehearsal/dialect.ts';
import type { GrantRules, Grants } from './grants.ts';

/** Settings that hold for every request; they may be changed while the provider runs. */
export interface ProviderSettings extends GrantRules {
  clientAuth: 'basic' | 'body' | 'any';
  bodyFormat: 'form' | 'json' | 'any';
  /** Whether the callback has `iss` (RFC 9207). */
  issuerInCallback: boolean;
  /** Whether the API accepts calls without a live token, for the auth modes that are not OAuth. */
  openApi: boolean;
  dialect: Dialect;
}

/** The provider as its endpoints see it. */
export interface Provider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The secrets of each registered client, by client ID. */
  readonly clients: ReadonlyMap<string, ReadonlySet<string>>;
  readonly settings: Readonly<ProviderSettings>;
  readonly grants: Grants;
}
