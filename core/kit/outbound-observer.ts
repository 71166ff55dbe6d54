import { AsyncLocalStorage } from 'node:async_hooks';
import type { FaultKind } from './fault-words.ts';
import type { OutboundError } from './outbound-error.ts';

/** A call that has ended. It has no path, query, headers or bodies, since providers put secrets into all of them. */
export interface EndedCall {
  readonly method: string;
  readonly host: string;
  /** The status of the response, or the error code when there is none. */
  readonly result: number | OutboundError['code'];
  /** Why there is no response; absent when there is one. */
  readonly fault?: { readonly kind: FaultKind; readonly reason: string; readonly origin: string };
  readonly durationMs: number;
}

type Observer = (call: EndedCall) => void;

const observers = new AsyncLocalStorage<Observer>();

/** Runs `run`, and calls the observer whenever a bounded call that `run` has made ends. */
export function observingCalls<T>(observer: Observer, run: () => Promise<T>): Promise<T> {
  return observers.run(observer, run);
}

export function tellObserver(call: EndedCall): void {
  observers.getStore()?.(call);
}
