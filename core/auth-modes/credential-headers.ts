import { ServiceError } from '../errors.ts';
import { TemplateError } from '../kit/template.ts';
import type { StoredCredentials } from './auth-mode.ts';
import { AUTH_MODES } from './index.ts';
import { fillTexts, type TemplateSource } from './provider-template.ts';

// RFC 9110 §5.5
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface CredentialHeader {
  /** As the definition writes it. */
  readonly name: string;
  readonly value: string;
}

/**
 * The headers that make a request the connection's, each name once: the mode's own, and the definition's `proxy.headers` in
 * their place where both name one.
 *
 * @throws ServiceError `invalid_credentials` when they fit into no header
 */
export function credentialHeaders(source: TemplateSource, stored: StoredCredentials): readonly CredentialHeader[] {
  const byName = new Map<string, CredentialHeader>();
  const declared = filled(source.definition.proxy?.headers, source);
  for (const [name, value] of [...Object.entries(AUTH_MODES[stored.type].sign(stored).headers), ...Object.entries(declared)]) {
    if (!HEADER_VALUE.test(value)) throw unfit(`they do not fit into the header ${name}`);
    byName.set(name.toLowerCase(), { name, value });
  }
  return [...byName.values()];
}

/** The definition's `proxy.query`, which may hold credentials too. @throws ServiceError `invalid_credentials` */
export function credentialQuery(source: TemplateSource): Readonly<Record<string, string>> {
  return filled(source.definition.proxy?.query, source);
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
