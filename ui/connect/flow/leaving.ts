import { isTyped } from '../../kit/fields/form.ts';
import type { Store } from './store.ts';

/** Leaves a form, after asking the user if something typed would be lost. */
export class Leaving {
  readonly #store: Store;
  /** The action that is run if the user discards what was typed. */
  #wanted = () => {};

  constructor(store: Store) {
    this.#store = store;
  }

  unlessTyped(leave: () => void): void {
    const { screen, values } = this.#store.state;
    const wouldLose = screen.at === 'start' && isTyped(screen.form.fields, values);
    if (wouldLose) this.#store.change({ isAskingToDiscard: true });
    else leave();
    this.#wanted = leave;
  }

  discard(): void {
    this.#store.change({ values: {} });
    this.#wanted();
  }

  stay(): void {
    this.#store.change({ isAskingToDiscard: false });
  }
}
