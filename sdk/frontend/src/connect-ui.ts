import type { CloseReason, ConnectUIEvent, ConnectUIEventType, PayloadOf } from './events.ts';
import type { Theme } from './session.ts';
import { NOT_LOADED, openShell } from './shell.ts';
import { keepToken, type TokenSource } from './token-keeper.ts';

/** Time after which the SDK itself says that the window could not be loaded. */
const LOAD_MS = 15_000;

/** Time in which the user can read that the account is connected. */
const READ_MS = 8_000;

/** Matches the events that are passed on: loaded, select, error, connect. */
const PASSED_ON = /^(lo|sel|er|con)/;

export interface ConnectUIOptions {
  /** The session's token; a function is called again when the token has expired. May also be set later. */
  readonly sessionToken?: TokenSource | undefined;
  /** Called for each event. An error that it throws becomes an uncaught error of the page, and does not affect the window. */
  readonly onEvent?: (event: ConnectUIEvent) => void;
  /** The language (BCP 47), such as `de`. Default: the environment's, else the browser's. */
  readonly lang?: string;
  /** The theme. Default: the environment's. */
  readonly theme?: Theme;
  /** The element into which the window is put; without one, the window is a dialog. */
  readonly container?: HTMLElement;
  /** True to close the window 8 seconds after an account was connected. Default: the user closes it. */
  readonly autoClose?: boolean;
  /** The integration to connect, if the session allows several: the window then skips the choice. */
  readonly integrationId?: string;
}

export interface ConnectUIResult {
  readonly reason: CloseReason;
  /** The integration that was connected; absent if none was. */
  readonly integrationId?: string;
}

/** A connect window, open from the start. */
export interface ConnectUI {
  setSessionToken(token: string): void;
  close(): void;
  /** Does nothing: the window is open already, and opens only once. */
  open(): void;
  /** Resolves when the window has closed; never rejects. */
  readonly promise: Promise<ConnectUIResult>;
}

/** A message of the window (`svc: 1`). It comes from the service's own origin; still, only its shape is relied on. */
interface Message {
  readonly svc: 1;
  readonly type: string;
  readonly payload?: Readonly<Record<string, string | undefined>>;
}

/** Opens the window immediately, while the user's click is handled; the token may come later. */
export function openConnectUI(host: string, options: ConnectUIOptions, debug: boolean): ConnectUI {
  const { sessionToken, onEvent, lang = '', theme = '', container, autoClose, integrationId: integration = '' } = options;
  const { origin } = new URL(host);
  const { promise, resolve } = Promise.withResolvers<ConnectUIResult>();
  const stop = new AbortController();
  let state: 'loading' | 'failed' | 'ready' | 'closed' = 'loading';
  let connected: string | undefined;
  const emit = <Type extends ConnectUIEventType>(type: Type, payload: PayloadOf<Type>) => {
    const event = { type, payload, at: new Date().toJSON(), sessionRef: keeper.ref } as ConnectUIEvent;
    if (debug) console.debug('svc', event);
    queueMicrotask(() => onEvent?.(event));
  };
  const fail = (code: string, message: string) => emit('error', { code, message });
  const close = (reason: CloseReason) => {
    if (state === 'closed') return;
    state = 'closed';
    stop.abort();
    shell.remove();
    emit('close', { reason });
    resolve({ reason, ...(connected && { integrationId: connected }) });
  };
  const post = (message: object) => {
    if (state === 'ready') shell.frame.contentWindow?.postMessage({ svc: 1, ...message }, origin);
  };
  const keeper = keepToken(sessionToken, post, (error) => fail('session_missing', String(error)));
  const receive = ({ source, origin: sender, data }: MessageEvent<Message | null>) => {
    if (sender !== origin || source !== shell.frame.contentWindow || data?.svc !== 1) return;
    const { type, payload = {} } = data;
    if (type === 'ready') {
      if (state !== type) {
        state = type;
        shell.reveal();
        emit(type, {});
      }
      // `ready` comes again when the user has reloaded the frame, which has then lost its token.
      keeper.send();
    }
    if (type === 'session_expired') keeper.ask();
    if (type === 'close') close(payload['reason'] as CloseReason);
    if (type === 'connect') connected = payload['integration'];
    if (type === 'connect' && autoClose) setTimeout(close, READ_MS, 'finished');
    if (PASSED_ON.test(type)) emit(type as ConnectUIEventType, renamed(payload));
  };
  // The window asks before it drops what the user has typed; while it is not loaded there is nothing to ask.
  const dismiss = () => {
    if (state === 'ready') post({ type: 'close_request' });
    else close(state === 'failed' ? 'failed_to_load' : 'user');
  };

  addEventListener('message', receive, { signal: stop.signal });
  const url = `${host}/connect#${new URLSearchParams({ origin: location.origin, lang, theme, integration })}`;
  const shell = openShell({ url, theme, container }, dismiss, () => close('user'));
  setTimeout(() => {
    if (state !== 'loading') return;
    state = 'failed';
    shell.fail();
    fail('ui_load_failed', NOT_LOADED);
  }, LOAD_MS);
  return { setSessionToken: keeper.set, close: () => close('api'), open() {}, promise };
}

/** Returns a payload of the window with the SDK's names. */
function renamed({ integration, connection_id, ...rest }: NonNullable<Message['payload']>): never {
  return {
    ...rest,
    ...(integration && { integrationId: integration }),
    ...(connection_id && { connectionId: connection_id }),
  } as never;
}
