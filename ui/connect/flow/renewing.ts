import { ApiError } from '../../kit/api-error.ts';
import type { Ports } from './ports.ts';

/** A token that has expired is replaced where the page around has another one: the person stays where he is. */
export async function renewing<T>({ mode, renew }: Pick<Ports, 'mode' | 'renew'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isExpired = error instanceof ApiError && error.code === 'session_expired';
    if (!isExpired || mode === 'page' || !(await renew())) throw error;
    return call();
  }
}
