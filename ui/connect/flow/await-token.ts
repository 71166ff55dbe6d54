import type { Ports } from './ports.ts';
import type { Screen } from './state.ts';
import type { Store } from './store.ts';

const LONG_MS = 10_000;
const GIVE_UP_MS = 60_000;

interface Signals {
  /** Aborted when the token has arrived; loading the session may still take time. */
  readonly come: AbortSignal;
  /** Aborted when the window has ended. */
  readonly end: AbortSignal;
}

/**
 * Waits for the embedding page to send a token. Tells the user after ten seconds that it is taking long, and gives up after a
 * minute.
 */
export function awaitToken({ pause }: Pick<Ports, 'pause'>, store: Store, { come, end }: Signals): void {
  const later = async (ms: number, screen: Screen, signal: AbortSignal) => {
    await pause(ms, signal);
    if (store.state.screen.at === 'loading' && store.state.session === null) store.show(screen);
  };
  const ignore = () => {};
  later(LONG_MS, { at: 'loading', isLong: true }, end).catch(ignore);
  later(GIVE_UP_MS, { at: 'ended', reason: 'missing' }, AbortSignal.any([come, end])).catch(ignore);
}
