import { AuthError, type AuthErrorCode } from './auth-error.ts';
import { type Caller, call, send } from './caller.ts';
import type { Choice, Flow } from './flow.ts';
import { follow } from './follow.ts';
import { newFlowId, newLaunchId } from './hex.ts';

/** Time after which the window counts as blocked if `window.open` returned none, and no page in it has called the service. */
const BLOCKED_MS = 3_000;
/** The same time if `window.open` returned a window: its page may load slowly. */
const SLOW_MS = 15_000;
/** Number of retries of a call that is safe to repeat. */
const RETRIES = 3;

export interface AuthOptions {
  /** Values of the provider's fields that are not secret, such as a subdomain. */
  readonly params?: Readonly<Record<string, string>>;
  /**
   * Credentials that the user has typed, such as an API key. If they are present, no window opens; `{}` is for a provider that
   * asks for nothing.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Cancels the attempt: after that, nothing is connected, whatever happens in the window. */
  readonly signal?: AbortSignal;
  /** Called when the user has to choose a site, tenant or property. @returns the `id` of the chosen one */
  readonly onChoice?: (options: readonly Choice[]) => string | Promise<string>;
  /**
   * Called when the browser has blocked the window: show this address as a link (`target="_blank"`). If this callback is absent,
   * the attempt fails with `popup_blocked`.
   */
  readonly onPopupBlocked?: (link: string) => void;
}

export interface AuthResult {
  readonly integrationId: string;
  /** Present only if the service is set up to return it (deprecated): normally your backend receives it by webhook. */
  readonly connectionId?: string;
}

/**
 * Connects an account without the service's window: the application shows a user interface itself.
 *
 * @throws AuthError if no account was connected
 */
export async function authorize(
  caller: Caller,
  integration: string | Promise<string | undefined>,
  options: AuthOptions,
): Promise<AuthResult> {
  const { params, credentials, signal, onChoice, onPopupBlocked } = options;
  const { promise, resolve, reject } = Promise.withResolvers<AuthResult>();
  const end = (code: AuthErrorCode) => reject(new AuthError(code));
  if (signal?.aborted) throw new AuthError('flow_cancelled');
  const id = newFlowId();
  const stop = new AbortController();
  const popup = credentials ? undefined : openPopup(caller.host, onPopupBlocked ?? (() => end('popup_blocked')));
  signal?.addEventListener('abort', () => end('flow_cancelled'), { signal: stop.signal });
  const run = async (): Promise<AuthResult> => {
    const body = { id, integration_id: await integration, launch_id: popup?.launchId, params, credentials };
    const first = await call<Flow>(caller, '/connect/flows', { method: 'POST', body, signal: stop.signal, retries: RETRIES });
    for await (const flow of follow(caller, first, stop.signal)) {
      if (flow.state !== 'created') popup?.opened();
      if (flow.state === 'succeeded') return resultOf(flow);
      if (flow.state === 'choosing') await choose(caller, flow, onChoice);
      else if (flow.error) throw new AuthError(flow.error.code, flow.error.message, flow.error);
    }
    // The flow was cancelled elsewhere, or superseded by another attempt of the same session.
    throw new AuthError('state_mismatch');
  };
  run().then(resolve, reject);
  try {
    return await promise;
  } catch (error) {
    popup?.close();
    // Cancels the flow, unless it has already ended. Not awaited, since the caller learns nothing from the response.
    send(caller, `/connect/flows/${id}`, { method: 'DELETE' }).catch(() => {});
    throw error;
  } finally {
    popup?.opened();
    stop.abort();
  }
}

async function choose(caller: Caller, { id, options }: Flow, onChoice: AuthOptions['onChoice']): Promise<void> {
  if (!onChoice) throw new AuthError('choice_required');
  await call(caller, `/connect/flows/${id}/choice`, { method: 'POST', body: { id: await onChoice(options) }, retries: RETRIES });
}

function resultOf({ integration_id: integrationId, connection_id: connectionId }: Flow): AuthResult {
  return { integrationId, ...(connectionId && { connectionId }) };
}

/** The window in which the user signs in at the provider. */
interface Popup {
  readonly launchId: string;
  /** Call this when the service reports that the window's page has asked which flow it is for, which proves that it is open. */
  opened(): void;
  close(): void;
}

/**
 * Opens the launch page. Call this directly in the handler of the user's click, since browsers block windows that open later.
 * Neither the result of `window.open` nor `closed` shows whether the window exists (a page with `Cross-Origin-Opener-Policy` gets
 * null), but a call from its page to the service does.
 */
function openPopup(host: string, onBlocked: (link: string) => void): Popup {
  const launchId = newLaunchId();
  const link = `${host}/connect/launch#${launchId}`;
  const popup = open(link, '_blank', 'popup,width=520,height=720');
  const timer = setTimeout(() => onBlocked(link), popup ? SLOW_MS : BLOCKED_MS);
  return { launchId, opened: () => clearTimeout(timer), close: () => popup?.close() };
}
