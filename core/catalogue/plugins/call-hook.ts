import { type HookContext, PluginError } from '#contract';
import { type ErrorCode, ServiceError } from '../../errors.ts';
import { abortable } from '../../kit/abortable.ts';
import { Deadline } from '../../kit/deadline.ts';
import type { Logger } from '../../kit/logger.ts';
import type { Outbound } from '../../kit/outbound.ts';
import { SecretHider } from './hide-secrets.ts';
import { buildHookContext, type HookFacts } from './hook-context.ts';

const TIMEOUT_MS = 10_000;

export interface HookCall extends HookFacts {
  /** The part of the plugin and the name of the hook, e.g. `connection.afterAuthorization`. */
  readonly hook: string;
  /** Aborts when the caller no longer waits for the result. */
  readonly signal?: AbortSignal;
  /**
   * Default: 10,000. Hooks of a refresh get `callMs` (`credentials/refresh-times.ts`), since an answer that is not waited for may
   * hold the only valid refresh token.
   */
  readonly timeoutMs?: number;
  /** Secrets that the hook receives in addition to its tokens; like those, they are removed from logs. */
  readonly secrets?: readonly string[];
  /** True if the hook refreshes credentials that are in use; if the provider refuses them, the user must authorize again. */
  readonly isRenewal?: true;
}

export interface HookDeps {
  readonly outbound: Outbound;
  readonly log: Logger;
}

/**
 * Thrown if a hook returns something that its contract does not allow. The message contains no value, and follows the hook's name
 * in a sentence.
 */
export class WrongResult extends Error {
  override readonly name = 'WrongResult';
}

/**
 * Runs one hook of a plugin, by default for at most ten seconds. Plugins are trusted code: a hook that ignores its signal is no
 * longer waited for, but is not stopped.
 *
 * @throws ServiceError `connection_test_failed` (in a refresh `invalid_credentials`), `provider_unavailable`, or `server_error`
 *   for a bug; the reason of the caller's signal if that aborts
 */
export async function callHook<T>(deps: HookDeps, call: HookCall, run: (ctx: HookContext) => Promise<T>): Promise<T> {
  const log = deps.log.child({ hook: call.hook, provider: call.connection.provider, connectionId: call.connection.connectionId });
  const hider = new SecretHider(call.tokens, call.secrets);
  const { timeoutMs = TIMEOUT_MS } = call;
  const end = new AbortController();
  using deadline = new Deadline(timeoutMs, () => 0);
  deadline.signal.addEventListener('abort', () => end.abort(new HookTimeout()), { once: true });
  const signal = call.signal === undefined ? end.signal : AbortSignal.any([end.signal, call.signal]);
  try {
    signal.throwIfAborted();
    return await abortable(signal, run(buildHookContext({ outbound: deps.outbound, log, hider }, call, { signal, timeoutMs })));
  } catch (cause) {
    throw describeFailure(call, log, { cause, hider });
  } finally {
    end.abort(); // Ends calls that the hook did not wait for.
  }
}

class HookTimeout extends Error {
  override readonly name = 'HookTimeout';
}

function describeFailure(call: HookCall, log: Logger, { cause, hider }: { cause: unknown; hider: SecretHider }): unknown {
  if (cause instanceof ServiceError || (call.signal?.aborted && cause === call.signal.reason)) return cause;
  if (cause instanceof HookTimeout) {
    return new ServiceError('provider_unavailable', `${call.hook} of ${call.connection.provider} took too long`, { cause });
  }
  const hidden = hider.error(cause);
  if (cause instanceof PluginError) {
    const visible = new PluginError(cause.code, hider.text(cause.message), { cause: hidden });
    return new ServiceError(codeOf(call, cause), visible.message, { cause: visible });
  }
  log.error('a plugin failed', { error: hidden });
  const what = cause instanceof WrongResult ? cause.message : 'failed';
  return new ServiceError('server_error', `${call.hook} of ${call.connection.provider} ${what}`, { cause: hidden });
}

/**
 * Returns the error code for a plugin's error. If the provider refuses credentials in use, the user must authorize again; if it
 * refuses new ones, the test of the new connection has failed.
 */
function codeOf({ isRenewal }: HookCall, cause: PluginError): ErrorCode {
  if (cause.code === 'provider_unavailable') return 'provider_unavailable';
  return isRenewal === true && cause.code === 'invalid_credentials' ? 'invalid_credentials' : 'connection_test_failed';
}
