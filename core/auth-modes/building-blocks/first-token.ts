import { ServiceError } from '../../errors.ts';
import { TokenFailure } from '../auth-mode.ts';

/**
 * Fetches the first token for new credentials.
 *
 * @param refusal the error's message if the provider rejects the request
 * @throws ServiceError `connection_test_failed` if the provider rejects the credentials, else `provider_unavailable`
 */
export async function firstToken<T>(
  fetchToken: () => Promise<T>,
  refusal = 'the provider issues no token for these credentials',
): Promise<T> {
  try {
    return await fetchToken();
  } catch (cause) {
    if (!(cause instanceof TokenFailure)) throw cause;
    const isRefused = cause.kind === 'refused' || (cause.status >= 400 && cause.status < 500 && cause.status !== 429);
    if (isRefused) throw new ServiceError('connection_test_failed', `${refusal} (${cause.status})`, { cause });
    const wait = cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds };
    throw new ServiceError('provider_unavailable', `no token can be obtained at the moment: ${cause.message}`, {
      cause,
      ...wait,
    });
  }
}
