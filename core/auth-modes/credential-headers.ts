import { ServiceError } from '../errors.ts';
import { isHeaderValue } from '../kit/header-syntax.ts';
import { TemplateError } from '../kit/template.ts';
import type { AuthMode, SignedRequest, SigningInput, StoredCredentials } from './auth-mode.ts';
import { clientIdValue } from './building-blocks/client-values.ts';
import { fillTexts, type TemplateSource } from './building-blocks/provider-template.ts';
import { modeOf } from './index.ts';

export interface CredentialHeader {
  /** The name of the header as the definition spells it. */
  readonly name: string;
  readonly value: string;
}

/** The headers that authenticate the requests of a connection. */
export interface CredentialHeaders {
  /** The headers that are the same for every request. */
  readonly fixed: readonly CredentialHeader[];
  /** Returns the headers of one request, if the mode signs each request. */
  readonly signed?: (request: SignedRequest) => readonly CredentialHeader[];
  /** True if `signed` needs the body, whatever its type. */
  readonly signsBody?: boolean;
}

/**
 * Returns the credential headers of a connection, each name once: the mode's headers, overridden by the definition's
 * `proxy.headers`.
 *
 * @param signedByPlugin true if the plugin signs requests. Then only the definition's headers are returned, since the credentials
 *   are used for signing and are not sent themselves
 * @throws ServiceError `invalid_credentials` if the credentials do not fit into a header, `missing_client_id` if the signature
 *   needs the integration's app
 */
export function credentialHeaders(
  source: TemplateSource & SigningInput,
  stored: StoredCredentials,
  { signedByPlugin = false } = {},
): CredentialHeaders {
  const mode: Pick<AuthMode, 'sign' | 'signer' | 'signsBody'> = signedByPlugin ? {} : modeOf(stored);
  const byName = new Map<string, CredentialHeader>();
  const declared = Object.entries(filled(source.definition.proxy?.headers, withClientId(source)));
  for (const [name, value] of [...Object.entries(mode.sign?.(stored, source) ?? {}), ...declared])
    byName.set(name.toLowerCase(), header(name, value));
  const fixed = [...byName.values()];
  const sign = mode.signer?.(stored, source);
  if (sign === undefined) return { fixed };
  const signed = (request: SignedRequest) =>
    Object.entries(sign(request)).flatMap(([name, value]) => (byName.has(name) ? [] : [header(name, value)]));
  return { fixed, signed, signsBody: mode.signsBody?.(stored, source) === true };
}

/**
 * Returns the parameters of the definition's `proxy.query`, which may contain credentials, too.
 *
 * @throws ServiceError `invalid_credentials` if a value is missing or not allowed
 */
export function credentialQuery(source: TemplateSource): Readonly<Record<string, string>> {
  return filled(source.definition.proxy?.query, source);
}

/** Adds the integration's client ID to the template values, unless the connection's own app has already set it. */
function withClientId(source: TemplateSource & SigningInput): TemplateSource {
  return { ...source, credentials: { ...clientIdValue(source.client), ...source.credentials } };
}

function header(name: string, value: string): CredentialHeader {
  if (!isHeaderValue(value)) throw unsendable(`they contain characters that the header ${name} cannot carry`);
  return { name, value };
}

function filled(templates: Readonly<Record<string, string>> | undefined, source: TemplateSource): Record<string, string> {
  try {
    return fillTexts(templates, source);
  } catch (error) {
    if (error instanceof TemplateError) throw unsendable(error.message);
    throw error;
  }
}

function unsendable(fault: string): ServiceError {
  return new ServiceError('invalid_credentials', `the credentials of this connection cannot be sent: ${fault}`);
}
