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

/** The most recently opened dialog; an application shows only one at a time. */
let dialog: ConnectUI | undefined;

export interface SvcOptions {
  /** The service's URL. Default: the URL from which this script was loaded, if the service served it. */
  readonly host?: string;
  /** The token of a connect session, which your backend creates for the user. */
  readonly connectSessionToken?: string;
  /** True to write the connect window's events to the console. */
  readonly debug?: boolean;
}

/** Lets a user connect an account, in the service's connect window or in a user interface of your own. */
export class Svc {
  readonly #host: string;
  readonly #token: string | undefined;
  readonly #debug: boolean;

  /** @throws TypeError if `host` is not a URL, or is missing and the script was not loaded from the service */
  constructor({ host = SERVED_BY, connectSessionToken, debug = false }: SvcOptions = {}) {
    this.#host = checkedHost(host);
    this.#token = connectSessionToken;
    this.#debug = debug;
  }

  /**
   * Opens the connect window immediately: call it in the click handler, and pass the session token as soon as you have it. A new
   * dialog closes the one that is open.
   */
  openConnectUI(options: ConnectUIOptions = {}): ConnectUI {
    const open = () => openConnectUI(this.#host, { sessionToken: this.#token, ...options }, this.#debug);
    if (options.container) return open();
    dialog?.close();
    dialog = open();
    return dialog;
  }

  /**
   * Connects without the connect window. Call it in the click handler: unless `credentials` are passed, it opens the provider's
   * page, and browsers block pages that are opened later.
   *
   * @throws AuthError if no account was connected
   */
  async auth(integrationId: string, options: AuthOptions = {}): Promise<AuthResult> {
    return authorize(this.#caller(), integrationId, options);
  }

  /** Does the same as `auth` for a reconnect session; its integration need not be passed. @throws AuthError like `auth` */
  async reconnect(integrationId?: string, options: AuthOptions = {}): Promise<AuthResult> {
    return authorize(this.#caller(), integrationId ?? this.session().then(({ reconnect }) => reconnect?.integration), options);
  }

  /**
   * Returns the session with the integrations that may be connected, so that you can show a picker.
   *
   * @throws AuthError if the call fails
   */
  async session(): Promise<Session> {
    return call(this.#caller(), '/connect/session');
  }

  /** Returns one integration with its fields, so that you can show a form. @throws AuthError if the call fails */
  async integration(integrationId: string): Promise<Integration> {
    return call(this.#caller(), `/connect/integrations/${encodeURIComponent(integrationId)}`);
  }

  #caller(): Caller {
    if (!this.#token) throw new AuthError('session_missing');
    return { host: this.#host, token: this.#token };
  }
}
