import { INITIAL, type Screen, type WindowState } from './state.ts';

/** The state that the window shows. Every change creates a new object. */
export interface Store {
  readonly state: WindowState;
  change(part: Partial<WindowState>): void;
  show(screen: Screen): void;
  subscribe(listener: () => void): () => void;
}

export function createStore(): Store {
  const listeners = new Set<() => void>();
  const store = {
    state: INITIAL,
    change(part: Partial<WindowState>) {
      store.state = { ...store.state, ...part };
      for (const listener of listeners) listener();
    },
    show: (screen: Screen) => store.change({ screen, isAskingToDiscard: false }),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return store;
}
