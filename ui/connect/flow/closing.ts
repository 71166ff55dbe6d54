import type { ReturnStatus } from './return-address.ts';
import type { Screen } from './state.ts';

/** Returns the reason that is sent to the embedding page when the window closes. */
export function closeReason(screen: Screen): 'finished' | 'user' | 'expired' {
  if (screen.at === 'success') return 'finished';
  return screen.at === 'ended' && screen.reason !== 'missing' ? 'expired' : 'user';
}

/** Returns the status that is added to the return URL. */
export function returnStatus({ at }: Screen): ReturnStatus {
  if (at === 'success') return 'connected';
  return at === 'failure' ? 'failed' : 'closed';
}
