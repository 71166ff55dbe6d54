import { residentBytes } from '../../support/process-facts.ts';

const SAMPLE_MS = 100;
const MIB = 1_024 * 1_024;

/** Follows the resident memory of a process and its descendants, in MiB. */
export class MemoryWatch implements Disposable {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #most = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#sample();
  }

  get now(): number {
    return residentBytes(this.#pid) / MIB;
  }

  /** The most memory since the last call, or since the beginning. */
  takeMost(): number {
    this.#sample();
    const most = this.#most;
    this.#most = 0;
    return most;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    this.#most = Math.max(this.#most, this.now);
  }
}
