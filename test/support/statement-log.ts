import type { Knex } from 'knex';

/**
 * SQLSTATE codes of errors in a statement itself: in its syntax or a name (class 42), or in a value that the database cannot read
 * (class 22).
 */
const STATEMENT_FAULT = /^(?:42|22)/;

/** A log of every statement that a service sends to its database, as text, and of the errors in these statements. */
export class StatementLog {
  #texts = new Set<string>();
  #faults: string[] = [];

  constructor(db: Knex) {
    db.on('query', this.#note);
    db.on('query-error', this.#refused);
  }

  /** Returns what was logged since the last call. */
  drain(): { readonly texts: ReadonlySet<string>; readonly faults: readonly string[] } {
    const drained = { texts: this.#texts, faults: this.#faults };
    this.#texts = new Set();
    this.#faults = [];
    return drained;
  }

  readonly #note = ({ sql }: { readonly sql: string }): void => {
    this.#texts.add(sql);
  };

  readonly #refused = (error: Error & { readonly code?: string }, { sql }: { readonly sql: string }): void => {
    if (STATEMENT_FAULT.test(error.code ?? '42')) this.#faults.push(`${error.code} ${error.message}: ${sql}`);
  };
}
