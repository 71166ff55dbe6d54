import { AuthError, type AuthErrorCode } from './auth-error.ts';
import { type Caller, call, send } from './caller.ts';
import type { Choice, Flow } from './flow.ts';
import { follow } from './follow.ts';
import { newFlowId, newLaunchId } from './hex.ts';

/** After which no window means that the browser has stopped it. */
const BLOCKED_MS = 3_000;
/** The same where the browser says that it has opened one: its page may be slow. */
const SLOW_MS = 15_000;
/** Of a call that has no effect twice. */
const RETRIES = 3;

export interface AuthOptions {
  /** Values of the provider's fields that are no secrets, such as a subdomain. */
  readonly params?: Readonly<Record<string, string>>;
  /** What the user has typed, such as an API key. With it no window opens; `{}` for a provider that asks for nothing. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Cancels: nothing is connected any more, whatever happens in the window. */
  readonly signal?: AbortSignal;
  /** Asked when the user has to choose a site, tenant or property. @returns the `id` of the chosen one */
  readonly onChoice?: (options: readonly Choice[]) => string | Promise<string>;
  /** The browser has stopped the window: show this address as a link (`target="_blank"`). Without it the call is rejected. */
  readonly onPopupBlocked?: (link: string) => void;
}

export interface AuthResult {
  readonly integrationId: string;
  /** Only where the service is set up to tell it (deprecated): your backend hears it by webhook. */
  readonly connectionId?: string;
}

/** Connects with a page of the caller's own around it. @throws AuthError */
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
    // Cancelled elsewhere, or superseded by another attempt of the same session.
    throw new AuthError('state_mismatch');
  };
  run().then(resolve, reject);
  try {
    return await promise;
  } catch (error) {
    popup?.close();
    // Without waiting: a flow that is over stays as it is.
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
  /** Its page has asked the service which flow it is for. */
  opened(): void;
  close(): void;
}

/**
 * Opens the launch page in the click itself: browsers allow it no later. Neither what `window.open` returns nor `closed` tells
 * whether there is a window (a page with `Cross-Origin-Opener-Policy` gets null); that its page has called the service does.
 */
function openPopup(host: string, onBlocked: (link: string) => void): Popup {
  const launchId = newLaunchId();
  const link = `${host}/connect/launch#${launchId}`;
  const popup = open(link, '_blank', 'popup,width=520,height=720');
  const timer = setTimeout(() => onBlocked(link), popup ? SLOW_MS : BLOCKED_MS);
  return { launchId, opened: () => clearTimeout(timer), close: () => popup?.close() };
}
