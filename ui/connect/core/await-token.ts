import type { Ports } from './ports.ts';
import type { Screen } from './state.ts';
import type { Store } from './store.ts';

const LONG_MS = 10_000;
const GIVE_UP_MS = 60_000;

/** The page around may take its time for a token: the person is told, and after a minute that there will be none. */
export function awaitToken({ pause }: Pick<Ports, 'pause'>, store: Store, signal: AbortSignal): void {
  const later = async (ms: number, screen: Screen) => {
    await pause(ms, signal);
    if (store.state.screen.at === 'loading' && store.state.session === null) store.show(screen);
  };
  const ignore = () => {};
  later(LONG_MS, { at: 'loading', isLong: true }).catch(ignore);
  later(GIVE_UP_MS, { at: 'ended', reason: 'missing' }).catch(ignore);
}
