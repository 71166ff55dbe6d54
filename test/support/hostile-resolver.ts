/** One answer to one query: the addresses, a failure, or silence for ever. */
type ScriptedAnswer = readonly string[] | Error | 'silence';

/** A name server with bad intentions: each query of a name gets its next scripted answer, and after the last the first again. */
export class HostileResolver {
  /** Every name that was asked for, in order. */
  readonly queries: string[] = [];
  readonly #scripts = new Map<string, { readonly answers: readonly ScriptedAnswer[]; asked: number }>();

  script(name: string, ...answers: readonly ScriptedAnswer[]): this {
    this.#scripts.set(name, { answers, asked: 0 });
    return this;
  }

  /** Fits `createOutbound`; names without a script do not exist. */
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
