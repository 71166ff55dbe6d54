import { AuthError } from './auth-error.ts';
import { type AuthOptions, type AuthResult, authorize } from './authorize.ts';
import { type Caller, call } from './caller.ts';
import { type ConnectUI, type ConnectUIOptions, openConnectUI } from './connect-ui.ts';
import { checkedHost, hostOf } from './host.ts';
import type { Integration, Session } from './session.ts';

export { AuthError, type AuthErrorCode, type FieldError } from './auth-error.ts';
export type { AuthOptions, AuthResult } from './authorize.ts';
export type { ConnectUI, ConnectUIOptions, ConnectUIResult } from './connect-ui.ts';
export type { CloseReason, ConnectUIEvent, ConnectUIEventType } from './events.ts';
export type { Choice } from './flow.ts';
export type { Field, Integration, IntegrationSummary, ProviderAccount, Session, Theme } from './session.ts';

const script = globalThis.document?.currentScript;
const SERVED_BY = hostOf(script instanceof HTMLScriptElement ? script.src : import.meta.url);

/** The dialog that was opened last; an application has one at a time. */
let dialog: ConnectUI | undefined;

export interface SvcOptions {
  /** The service's address. Default: where the script came from, if that was the service. */
  readonly host?: string;
  /** The token of a connect session, which your backend creates for its user. */
  readonly connectSessionToken?: string;
  /** Writes the window's events to the console. */
  readonly debug?: boolean;
}

/** Lets a user connect an account: in the service's own window, or in one of the application's. */
export class Svc {
  readonly #host: string;
  readonly #token: string | undefined;
  readonly #debug: boolean;

  /** @throws TypeError without the address of a service */
  constructor({ host = SERVED_BY, connectSessionToken, debug = false }: SvcOptions = {}) {
    this.#host = checkedHost(host);
    this.#token = connectSessionToken;
    this.#debug = debug;
  }

  /**
   * Opens the window at once: call it in the click, and pass the token when there is one. A dialog replaces the one that was
   * opened before.
   */
  openConnectUI(options: ConnectUIOptions = {}): ConnectUI {
    const open = () => openConnectUI(this.#host, { sessionToken: this.#token, ...options }, this.#debug);
    if (options.container) return open();
    dialog?.close();
    dialog = open();
    return dialog;
  }

  /**
   * Connects without the service's window. Call it in the click: unless there are `credentials`, it opens the provider's page.
   *
   * @throws AuthError
   */
  async auth(integrationId: string, options: AuthOptions = {}): Promise<AuthResult> {
    return authorize(this.#caller(), integrationId, options);
  }

  /** Does the same for a reconnect session, which names its integration itself. @throws AuthError */
  async reconnect(integrationId?: string, options: AuthOptions = {}): Promise<AuthResult> {
    return authorize(this.#caller(), integrationId ?? this.session().then(({ reconnect }) => reconnect?.integration), options);
  }

  /** Returns what may be connected, for a picker of your own. @throws AuthError */
  async session(): Promise<Session> {
    return call(this.#caller(), '/connect/session');
  }

  /** Returns one integration with its fields, for a form of your own. @throws AuthError */
  async integration(integrationId: string): Promise<Integration> {
    return call(this.#caller(), `/connect/integrations/${encodeURIComponent(integrationId)}`);
  }

  #caller(): Caller {
    if (!this.#token) throw new AuthError('session_missing');
    return { host: this.#host, token: this.#token };
  }
}
