const opened = new AsyncDisposableStack();

/** Registers work that is done after the last suite of the process, in the reverse order, for things that suites share. */
export function atWorkerEnd(work: () => void | PromiseLike<void>): void {
  opened.defer(work);
}

/** Does all registered work, even if some of it fails. @throws the errors of the work */
export function endWork(): Promise<void> {
  return opened.disposeAsync();
}
