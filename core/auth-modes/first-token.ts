import { ServiceError } from '../errors.ts';
import { TokenFailure } from './auth-mode.ts';

/**
 * The first token for credentials that came without one.
 *
 * @throws ServiceError `connection_test_failed` when the provider refuses to give one, `provider_unavailable` when it cannot be
 *   asked
 */
export async function firstToken<T>(fetchToken: () => Promise<T>): Promise<T> {
  try {
    return await fetchToken();
  } catch (cause) {
    if (!(cause instanceof TokenFailure)) throw cause;
    const isRefused = cause.kind === 'refused' || (cause.status >= 400 && cause.status < 500 && cause.status !== 429);
    if (isRefused)
      throw new ServiceError('connection_test_failed', `the provider gives no token for these credentials (${cause.status})`, {
        cause,
      });
    const wait = cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds };
    throw new ServiceError('provider_unavailable', `there is no token to be had now: ${cause.message}`, { cause, ...wait });
  }
}
