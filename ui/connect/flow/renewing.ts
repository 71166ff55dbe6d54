import { ApiError } from '../../kit/api-error.ts';
import type { Ports } from './ports.ts';

/**
 * Makes a call, and repeats it if the token had expired and the embedding page sends a new one, so that the user stays on the
 * same screen.
 */
export async function renewing<T>({ mode, renew }: Pick<Ports, 'mode' | 'renew'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isExpired = error instanceof ApiError && error.code === 'session_expired';
    if (!isExpired || mode === 'page' || !(await renew())) throw error;
    return call();
  }
}
