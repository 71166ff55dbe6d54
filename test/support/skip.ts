import Mocha from 'mocha';

/**
 * Skips the running test, or every test of the suite when called from a `before` hook. The reason is appended to the reported
 * title.
 */
export function skipBecause(context: Mocha.Context, reason: string): never {
  const running = context.test;
  const named = running instanceof Mocha.Hook ? running.parent : running;
  if (named !== undefined) named.title += ` (skipped: ${reason})`;
  return context.skip();
}
