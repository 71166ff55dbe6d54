import type { Dialect } from '../../../core/cli/rehearsal/dialect.ts';
import type { GrantRules, Grants } from './grants.ts';

/** Settings of a provider that apply to every request. Tests may change them while the provider runs. */
export interface ProviderSettings extends GrantRules {
  clientAuth: 'basic' | 'body' | 'any';
  bodyFormat: 'form' | 'json' | 'any';
  /** Whether the callback has the parameter `iss` (RFC 9207). */
  issuerInCallback: boolean;
  /** Whether the API accepts calls without a valid access token, for tests of auth modes other than OAuth. */
  openApi: boolean;
  dialect: Dialect;
}

/** The parts of a provider that its endpoints need. */
export interface Provider {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The secrets of each registered client, by client ID. */
  readonly clients: ReadonlyMap<string, ReadonlySet<string>>;
  readonly settings: Readonly<ProviderSettings>;
  readonly grants: Grants;
}
