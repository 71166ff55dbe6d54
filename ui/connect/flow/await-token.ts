import type { Ports } from './ports.ts';
import type { Screen } from './state.ts';
import type { Store } from './store.ts';

const LONG_MS = 10_000;
const GIVE_UP_MS = 60_000;

interface Signals {
  /** There is a token; the session may still take its time. */
  readonly come: AbortSignal;
  /** The window is gone. */
  readonly end: AbortSignal;
}

/** The page around may take its time for a token: the person is told, and after a minute that there will be none. */
export function awaitToken({ pause }: Pick<Ports, 'pause'>, store: Store, { come, end }: Signals): void {
  const later = async (ms: number, screen: Screen, signal: AbortSignal) => {
    await pause(ms, signal);
    if (store.state.screen.at === 'loading' && store.state.session === null) store.show(screen);
  };
  const ignore = () => {};
  later(LONG_MS, { at: 'loading', isLong: true }, end).catch(ignore);
  later(GIVE_UP_MS, { at: 'ended', reason: 'missing' }, AbortSignal.any([come, end])).catch(ignore);
}
