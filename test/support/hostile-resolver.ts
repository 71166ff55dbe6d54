/** The answer to one query: addresses, an error, or none at all. */
type ScriptedAnswer = readonly string[] | Error | 'silence';

/**
 * A name server that an attacker controls. Each query for a name gets the next of the answers that a test has scripted for it;
 * after the last, they start again.
 */
export class HostileResolver {
  /** Every name that was queried, in order. */
  readonly queries: string[] = [];
  readonly #scripts = new Map<string, { readonly answers: readonly ScriptedAnswer[]; asked: number }>();

  script(name: string, ...answers: readonly ScriptedAnswer[]): this {
    this.#scripts.set(name, { answers, asked: 0 });
    return this;
  }

  /** The `resolve` option of `createOutbound`. Names without a script do not exist. */
  readonly resolve = async (name: string): Promise<readonly string[]> => {
    this.queries.push(name);
    const script = this.#scripts.get(name);
    const response = script?.answers[script.asked++ % script.answers.length];
    if (response === 'silence') return await Promise.withResolvers<never>().promise;
    if (response === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    if (response instanceof Error) throw response;
    return response;
  };
}
