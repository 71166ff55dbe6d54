import { ServiceError } from '../../errors.ts';
import { inputError } from '../check-input.ts';
import type { Authenticator } from '../deps.ts';
import { readQuery } from '../query.ts';
import type { Caller } from './caller.ts';
import { requireLive } from './live-session.ts';

const TOKEN = 'connect_session_token';
const PUBLIC_KEY = 'public_key';

type BrowserAuthenticator = Pick<Authenticator, 'sessionToken' | 'publicKey'>;

/**
 * Authenticates a browser by the query of the requested address.
 *
 * @throws ServiceError 401 without a valid token or public key; `invalid_query_params` if one is repeated, or both are sent
 */
export async function callerInQuery(
  authenticator: BrowserAuthenticator,
  rawUrl: string,
  { takesEnded }: { readonly takesEnded: boolean },
): Promise<Caller> {
  const query = readQuery(rawUrl);
  if (query[PUBLIC_KEY] !== undefined) return callerOfPublicKey(authenticator, query);
  const token = query[TOKEN] === undefined ? undefined : singleString(query, TOKEN);
  const caller = token === undefined ? undefined : await authenticator.sessionToken(token);
  if (caller !== undefined) {
    if (!takesEnded) requireLive(caller);
    return caller;
  }
  throw new ServiceError(
    'unknown_connect_session_token',
    token === undefined
      ? `send the token of a connect session as the query parameter ${TOKEN}`
      : 'the connect session does not exist or has ended; create a new one',
  );
}

async function callerOfPublicKey(authenticator: BrowserAuthenticator, query: Record<string, unknown>): Promise<Caller> {
  if (authenticator.publicKey === undefined) {
    throw new ServiceError(
      'deprecated_authentication',
      `public keys are no longer accepted: create a connect session (POST /connect/sessions) and send its token as ${TOKEN}`,
    );
  }
  if (query[TOKEN] !== undefined) throw refused(PUBLIC_KEY, `cannot be combined with ${TOKEN}`);
  const caller = await authenticator.publicKey(singleString(query, PUBLIC_KEY));
  if (caller === undefined) throw new ServiceError('unknown_account', 'the public key is unknown');
  return caller;
}

/** Returns the value of a query parameter; one that is repeated, or sent as `name[x]`, is invalid. */
function singleString(query: Record<string, unknown>, name: string): string {
  const value = query[name];
  if (typeof value === 'string') return value;
  throw refused(name, 'must be a single string');
}

function refused(name: string, message: string): ServiceError {
  return inputError('invalid_query_params', [{ code: 'invalid_value', message, path: [name] }]);
}
