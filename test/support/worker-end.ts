const opened = new AsyncDisposableStack();

/**
 * Registers work that is done after the last suite of the process, such as the disposal of something that suites share. What was
 * registered last is done first.
 */
export function atWorkerEnd(work: () => void | PromiseLike<void>): void {
  opened.defer(work);
}

/** Does all registered work, even if some of it fails. @throws the errors of the work */
export function endWork(): Promise<void> {
  return opened.disposeAsync();
}
