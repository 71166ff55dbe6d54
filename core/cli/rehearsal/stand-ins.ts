import type { ProviderDefinition } from '#contract';
import type { AuthMode } from '../../auth-modes/auth-mode.ts';
import { DOCUMENTED_FILE, type DocumentedResponses } from './documented-responses.ts';

/**
 * Why a definition cannot be connected against the provider of a rehearsal.
 *
 * @returns undefined if it can
 */
export function whyNotWalked(
  definition: ProviderDefinition,
  mode: Pick<AuthMode, 'begin' | 'form' | 'imported'>,
  documented: DocumentedResponses,
): string | undefined {
  const { additional_steps, authorization_url, aws_sigv4, credentials, installation, token_url } = definition;
  if (installation !== undefined) return 'its app is installed on pages of the provider, for which nothing here stands in';
  if (aws_sigv4 !== undefined) return 'nothing here stands in for the service that issues its temporary keys';
  const certificate = credentials?.['client_certificate'];
  const needsCertificate = certificate !== undefined && certificate.optional !== true;
  if (needsCertificate || definition.token_request_auth_method === 'tls_client_auth') return 'it needs a client certificate';
  if (mode.begin !== undefined && (authorization_url === undefined || token_url === undefined))
    return 'the server itself says where it authorizes and issues tokens, and nothing here stands in for that';
  if (mode.begin === undefined && mode.form === undefined && mode.imported === undefined)
    return 'its auth mode has no form, and redirects nobody';
  if (additional_steps !== undefined && Object.keys(documented).length === 0)
    return `its sign-in takes several calls: write what the provider responds to each into ${DOCUMENTED_FILE}`;
  return undefined;
}
