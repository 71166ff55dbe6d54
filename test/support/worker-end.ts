const opened = new AsyncDisposableStack();

/** For what the suites of a process share: `work` is done after the last of them, in the reverse order. */
export function atWorkerEnd(work: () => void | PromiseLike<void>): void {
  opened.defer(work);
}

/** @throws what is thrown by the work; all of it is done nevertheless */
export function endWork(): Promise<void> {
  return opened.disposeAsync();
}
