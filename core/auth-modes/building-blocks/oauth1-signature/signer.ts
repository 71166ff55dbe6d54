import { ServiceError } from '../../../errors.ts';
import { newSecret } from '../../../kit/random-id.ts';
import type { ClientSettings, RequestSigner } from '../../auth-mode.ts';
import { type Parameters, percentEncode, type SignatureMethod, signatureBase, signatureFunction } from './signature.ts';

interface SignerInput {
  readonly client: Pick<ClientSettings, 'clientId' | 'clientSecret' | 'privateKey'>;
  /** The token; absent in the request for a flow's request token (RFC 5849 §2.1). */
  readonly token?: string;
  readonly tokenSecret?: string;
  readonly method: SignatureMethod;
  readonly realm?: string;
  /** Additional protocol parameters, such as `oauth_callback`. */
  readonly parameters?: Parameters;
}

/**
 * Returns a function that signs requests by one app for one user (RFC 5849 §3).
 *
 * @throws ServiceError `missing_client_id` if the integration lacks the client ID, or the private key for an RSA signature
 */
export function oauth1Signer(input: SignerInput): RequestSigner {
  const { client, token, tokenSecret = '', method, realm, parameters = [] } = input;
  const { clientId, clientSecret, privateKey } = client;
  if (clientId === '') throw new ServiceError('missing_client_id', 'the integration has no client ID; set its credentials first');
  const signatureOf = signatureFunction(method, { consumerSecret: clientSecret, tokenSecret, privateKey });
  return (request) => {
    const protocol: Parameters = [
      ['oauth_consumer_key', clientId],
      ...(token === undefined ? [] : [['oauth_token', token] as const]),
      ['oauth_signature_method', method],
      ['oauth_timestamp', String(Math.floor(request.at.getTime() / 1000))],
      ['oauth_nonce', newSecret()],
      ['oauth_version', '1.0'],
      ...parameters,
    ];
    const signature = signatureOf(signatureBase(request, protocol));
    return { authorization: authorizationHeader([...protocol, ['oauth_signature', signature]], realm) };
  };
}

/**
 * Returns the `Authorization` header (RFC 5849 §3.5.1). The realm is not percent-encoded like the other values, since it is an
 * ordinary quoted string (RFC 9110 §11.5).
 */
function authorizationHeader(protocol: Parameters, realm: string | undefined): string {
  const encoded = protocol.map(([name, value]) => `${name}="${percentEncode(value)}"`);
  const quoted = realm === undefined ? [] : [`realm="${realm.replaceAll(/["\\]/g, '\\$&')}"`];
  return `OAuth ${[...quoted, ...encoded].join(', ')}`;
}
