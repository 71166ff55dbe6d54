import Mocha from 'mocha';

/** Skips the running test, or from a `before` every test of its suite; the reason becomes part of the reported title. */
export function skipBecause(context: Mocha.Context, reason: string): never {
  const running = context.test;
  const named = running instanceof Mocha.Hook ? running.parent : running;
  if (named !== undefined) named.title += ` (skipped: ${reason})`;
  return context.skip();
}
