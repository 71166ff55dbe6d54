import { effectiveDefinition } from '#contract';
import type { OutboundResponse } from '../../kit/outbound.ts';
import type { ClientSettings, ModeDeps, ModeInput } from '../auth-mode.ts';
import { UnusableDocument } from '../building-blocks/server-metadata/index.ts';
import { authenticateClient } from '../building-blocks/token-endpoint/client-auth.ts';
import { withPreviousSecret } from '../building-blocks/token-endpoint/previous-secret.ts';
import { encodedBody, sendTokenRequest, tokenHeaders } from '../building-blocks/token-endpoint/token-call.ts';
import type { BoundClient } from './stored.ts';

interface ServerCall {
  /** Of the server's metadata. */
  readonly url: string | undefined;
  readonly client: BoundClient;
  readonly params: Readonly<Record<string, string>>;
}

/** One request to the token or the revocation endpoint, as the client that the tokens are of. @throws TokenFailure */
export async function callServer(
  deps: ModeDeps,
  input: ModeInput,
  { url: address, client, params }: ServerCall,
): Promise<OutboundResponse> {
  if (address === undefined) throw new UnusableDocument('the metadata of the authorization server has no such endpoint');
  const url = new URL(address);
  const send = (asClient: ModeInput) =>
    sendTokenRequest(deps, async () => {
      const authentication = await authenticate(asClient, client, { url, now: deps.now() });
      return {
        url,
        headers: { ...tokenHeaders({}), ...authentication.headers },
        body: encodedBody({}, { ...params, ...authentication.params }),
      };
    });
  return client.from === 'integration' ? withPreviousSecret(deps, input, send) : send(input);
}

function authenticate(input: ModeInput, client: BoundClient, endpoint: { readonly url: URL; readonly now: Date }) {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  if (client.from === 'integration') {
    const { token_request_auth_method: method = client.secretIn ?? 'body' } = definition;
    return authenticateClient(input, { ...definition, token_request_auth_method: method }, endpoint);
  }
  const { clientId, ...own } = client;
  const { clientSecret = '', secretIn = 'body' } = own.from === 'registration' ? own : {};
  const settings: ClientSettings = { clientId, clientSecret, scopes: [] };
  return authenticateClient({ ...input, client: settings }, { ...definition, token_request_auth_method: secretIn }, endpoint);
}
