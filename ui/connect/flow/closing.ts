import type { ReturnStatus } from './return-address.ts';
import type { Screen } from './state.ts';

/** What the page around is told when the window closes. */
export function closeReason(screen: Screen): 'finished' | 'user' | 'expired' {
  if (screen.at === 'success') return 'finished';
  return screen.at === 'ended' && screen.reason !== 'missing' ? 'expired' : 'user';
}

/** What the address to return to says. */
export function returnStatus({ at }: Screen): ReturnStatus {
  if (at === 'success') return 'connected';
  return at === 'failure' ? 'failed' : 'closed';
}
