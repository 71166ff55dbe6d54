import { ServiceError } from '../../errors.ts';
import { newSecret } from '../../kit/random-id.ts';
import type { ClientSettings, RequestSigner } from '../auth-mode.ts';
import { type Parameters, percentEncode, type SignatureMethod, signatureBase, signatureFunction } from './signature.ts';

interface SignerInput {
  readonly client: Pick<ClientSettings, 'clientId' | 'clientSecret'>;
  readonly token: string;
  readonly tokenSecret: string;
  readonly method: SignatureMethod;
  readonly realm?: string;
}

/** Signs requests as one app for one user (RFC 5849 §3). @throws ServiceError `missing_client_id` */
export function oauth1Signer({ client, token, tokenSecret, method, realm }: SignerInput): RequestSigner {
  const { clientId, clientSecret } = client;
  if (clientId === '') throw new ServiceError('missing_client_id', 'the integration has no client ID; set its credentials first');
  const signatureOf = signatureFunction(method, { consumerSecret: clientSecret, tokenSecret });
  return (request) => {
    const protocol: Parameters = [
      ['oauth_consumer_key', clientId],
      ['oauth_token', token],
      ['oauth_signature_method', method],
      ['oauth_timestamp', String(Math.floor(request.at.getTime() / 1000))],
      ['oauth_nonce', newSecret()],
      ['oauth_version', '1.0'],
    ];
    const signature = signatureOf(signatureBase(request, protocol));
    return { authorization: authorizationHeader([...protocol, ['oauth_signature', signature]], realm) };
  };
}

/** RFC 5849 §3.5.1. */
function authorizationHeader(protocol: Parameters, realm: string | undefined): string {
  const all = realm === undefined ? protocol : [['realm', realm] as const, ...protocol];
  return `OAuth ${all.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
}
