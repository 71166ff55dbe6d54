import { isIP } from 'node:net';
import { ServiceError } from '../../errors.ts';
import { bareHost, isPublicAddress } from '../../kit/address-guard.ts';
import type { FlowStart, ModeDeps, ModeInput } from '../auth-mode.ts';
import type { ServerMetadata } from '../building-blocks/server-metadata/index.ts';
import { authMethodAt, SECRET_PLACES } from './client-metadata.ts';
import { registeredClient } from './shared-clients.ts';
import type { BoundClient } from './stored.ts';

/** Matches host names that an authorization server on the Internet cannot resolve. */
const INNER_NAME = /(?:^|\.)(?:localhost|local|internal|test|lan|home\.arpa)$|^[^.]+$/i;

/**
 * Returns the client for a new authorization, in the order of preference of the MCP specification: the integration's own app, a
 * client whose document the server fetches, or a client that is registered now.
 *
 * @throws ServiceError `missing_client_id` if the server accepts none of them; TokenFailure as `registeredClient`
 */
export async function clientAt(
  deps: ModeDeps,
  { client }: ModeInput,
  { server, flow, scopes }: { readonly server: ServerMetadata; readonly flow: FlowStart; readonly scopes: readonly string[] },
): Promise<BoundClient> {
  if (client.clientId !== '') {
    const secretIn = SECRET_PLACES[authMethodAt(server)];
    return { from: 'integration', ...(secretIn !== undefined && { secretIn }) };
  }
  const { redirectUri, clientDocumentUrl: url = redirectUri } = flow;
  if (server.takesClientDocument && url !== redirectUri && isReachable(url)) return { from: 'document', clientId: url };
  if (server.registrationEndpoint === undefined) {
    const message =
      'the authorization server registers no clients; set client_id and client_secret of the integration, and ' +
      'integration_config.issuer to the issuer that the MCP server names';
    throw new ServiceError('missing_client_id', message);
  }
  return registeredClient(deps, { owner: url, server, requests: { redirectUri, scopes } });
}

/** Returns whether the authorization server can probably fetch the document, judging by its address. */
function isReachable(address: string): boolean {
  const url = new URL(address);
  const host = bareHost(url);
  return url.protocol === 'https:' && (isIP(host) === 0 ? !INNER_NAME.test(host) : isPublicAddress(host));
}
