import type { Answer } from './exchange.ts';
import type { RetryRule } from './finish.ts';

/** The one extra try that a plugin may ask for. */
export class PluginRetry {
  #rule: RetryRule | undefined;
  #asked: Answer | undefined;
  #wishMs: (() => number) | undefined;

  constructor(rule: RetryRule) {
    this.#rule = rule;
  }

  /** Never throws, since it is asked where nobody would hear of it: a plugin that fails wants a try, and `take` tells of it. */
  isWanted(answer: Answer): boolean {
    if (this.#rule === undefined) return false;
    if (this.#asked !== answer) this.#ask(this.#rule, answer);
    return this.#wishMs !== undefined;
  }

  /** Milliseconds to wait before the try; undefined when none is wanted. @throws ServiceError when the plugin's rule failed */
  take(): number | undefined {
    if (this.#wishMs === undefined) return undefined;
    this.#rule = undefined;
    const wishMs = this.#wishMs;
    this.#wishMs = undefined;
    return wishMs();
  }

  #ask(rule: RetryRule, answer: Answer): void {
    this.#asked = answer;
    try {
      const waitMs = rule(answer);
      this.#wishMs = waitMs === undefined ? undefined : () => waitMs;
    } catch (error) {
      this.#wishMs = () => {
        throw error;
      };
    }
  }
}
