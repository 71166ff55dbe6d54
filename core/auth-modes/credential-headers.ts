import { ServiceError } from '../errors.ts';
import { TemplateError } from '../kit/template.ts';
import type { SignedRequest, SigningInput, StoredCredentials } from './auth-mode.ts';
import { modeOf } from './index.ts';
import { fillTexts, type TemplateSource } from './provider-template.ts';

// RFC 9110 §5.5
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface CredentialHeader {
  /** As the definition writes it. */
  readonly name: string;
  readonly value: string;
}

/** What the credentials of one connection put into a request. */
export interface CredentialHeaders {
  /** The same for each request. */
  readonly fixed: readonly CredentialHeader[];
  /** Where the mode signs each request: headers of this one. */
  readonly signed?: (request: SignedRequest) => readonly CredentialHeader[];
}

/**
 * The headers that make a request the connection's, each name once: the mode's own, and the definition's `proxy.headers` in
 * their place where both name one.
 *
 * @throws ServiceError `invalid_credentials` when they fit into no header, `missing_client_id` when they need the integration's
 *   app to sign with
 */
export function credentialHeaders(source: TemplateSource & SigningInput, stored: StoredCredentials): CredentialHeaders {
  const mode = modeOf(stored);
  const byName = new Map<string, CredentialHeader>();
  const declared = Object.entries(filled(source.definition.proxy?.headers, source));
  for (const [name, value] of [...Object.entries(mode.sign(stored, source)), ...declared])
    byName.set(name.toLowerCase(), fitting(name, value));
  const fixed = [...byName.values()];
  const sign = mode.signer?.(stored, source);
  if (sign === undefined) return { fixed };
  const signed = (request: SignedRequest) =>
    Object.entries(sign(request)).flatMap(([name, value]) => (byName.has(name) ? [] : [fitting(name, value)]));
  return { fixed, signed };
}

/** The definition's `proxy.query`, which may hold credentials too. @throws ServiceError `invalid_credentials` */
export function credentialQuery(source: TemplateSource): Readonly<Record<string, string>> {
  return filled(source.definition.proxy?.query, source);
}

function fitting(name: string, value: string): CredentialHeader {
  if (!HEADER_VALUE.test(value)) throw unfit(`they do not fit into the header ${name}`);
  return { name, value };
}

function filled(templates: Readonly<Record<string, string>> | undefined, source: TemplateSource): Record<string, string> {
  try {
    return fillTexts(templates, source);
  } catch (error) {
    if (error instanceof TemplateError) throw unfit(error.message);
    throw error;
  }
}

function unfit(fault: string): ServiceError {
  return new ServiceError('invalid_credentials', `the credentials of this connection cannot be sent: ${fault}`);
}
