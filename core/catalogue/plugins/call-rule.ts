import { PluginError, type TokenSet } from '#contract';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../kit/logger.ts';
import { SecretHider } from './hide-secrets.ts';

interface RuleCall {
  /** The part of the plugin and the name of the rule, e.g. `proxy.decorate`. */
  readonly rule: string;
  readonly provider: string;
  /** The connection's ID; absent if there is no connection yet. */
  readonly connectionId?: string;
  /** Returns the tokens to remove from an error; called only after a failure. */
  readonly tokens: () => TokenSet;
}

/**
 * Runs one rule of a plugin, which is a synchronous function that depends only on its arguments. Unlike a hook, it cannot be
 * aborted.
 *
 * @throws ServiceError `provider_unavailable` or `invalid_credentials` if the plugin says so, `server_error` for a bug
 */
export function callRule<T>({ log }: { readonly log: Logger }, call: RuleCall, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw describeFailure(log, call, cause);
  }
}

function describeFailure(log: Logger, { rule, provider, connectionId, tokens }: RuleCall, cause: unknown): ServiceError {
  const hider = new SecretHider(tokens());
  const hidden = hider.error(cause);
  if (cause instanceof PluginError) {
    const code = cause.code === 'provider_unavailable' ? 'provider_unavailable' : 'invalid_credentials';
    return new ServiceError(code, hider.text(cause.message), { cause: hidden });
  }
  log.error('a plugin failed', { rule, provider, connectionId, error: hidden });
  return new ServiceError('server_error', `${rule} of ${provider} failed`, { cause: hidden });
}
