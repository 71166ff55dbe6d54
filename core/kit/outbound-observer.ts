import { AsyncLocalStorage } from 'node:async_hooks';
import type { OutboundError } from './outbound-error.ts';

/** A call that has ended. Without path, query, headers and bodies: providers put secrets into all of them. */
export interface EndedCall {
  readonly method: string;
  readonly host: string;
  /** What came of it: the status of the response, or why there is none. */
  readonly result: number | OutboundError['code'];
  readonly durationMs: number;
}

type Observer = (call: EndedCall) => void;

const observers = new AsyncLocalStorage<Observer>();

/** Tells of each bounded call that `run` makes, in whatever it calls, as it ends. */
export function observingCalls<T>(observer: Observer, run: () => Promise<T>): Promise<T> {
  return observers.run(observer, run);
}

export function tellObserver(call: EndedCall): void {
  observers.getStore()?.(call);
}
