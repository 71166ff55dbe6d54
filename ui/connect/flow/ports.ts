import type { faultsIn, payloadOf } from '../../kit/fields/form-rules.ts';
import type { ConnectForm, Session } from '../../kit/wire.ts';
import type { Api } from './api.ts';

/** The sign-in window, as far as the browser gives access to it: once it shows a page with COOP, it looks closed. */
export interface Popup {
  readonly closed: boolean;
  focus(): void;
  close(): void;
}

export type Message =
  | { readonly type: 'ready' | 'loaded' }
  | { readonly type: 'select'; readonly payload: { readonly integration: string } }
  | { readonly type: 'connect'; readonly payload: { readonly integration: string; readonly connection_id?: string } }
  | { readonly type: 'error'; readonly payload: { readonly code: string; readonly message: string } }
  | { readonly type: 'session_expired' }
  | { readonly type: 'close'; readonly payload: { readonly reason: 'finished' | 'user' | 'expired' } };

/** The facts that the page needs when the user returns to this tab from the provider; the session may have expired by then. */
export interface Journey {
  readonly flowId: string;
  readonly session: Session;
  readonly form: ConnectForm;
}

export interface FormRules {
  readonly faultsIn: typeof faultsIn;
  readonly payloadOf: typeof payloadOf;
}

export interface Ports {
  readonly api: Api;
  /**
   * `frame`: another page embeds the window, and sign-ins open a separate window; `page`: a link opened it, and sign-ins use the
   * same tab.
   */
  readonly mode: 'frame' | 'page';
  /** The URL of the service, with a slash at its end. */
  readonly base: string;
  /** Returns the validation rules of forms. They are loaded with the screen of a form, so they are not available before. */
  readonly rules: () => FormRules;
  /** The integration that the embedding page wants to be opened without a picker; null if it names none. */
  readonly wanted: string | null;
  /**
   * Shows the window in the environment's language, unless the embedding page or the link requested another.
   *
   * @param language BCP 47; null means the browser's
   */
  readonly speak: (language: string | null) => Promise<void>;
  readonly now: () => Date;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly online: () => Promise<void>;
  readonly openWindow: (url: string) => Popup | null;
  /** Navigates this tab to another URL. */
  readonly leave: (url: string) => void;
  /** Sends a message to the embedding page; does nothing if the window is itself a page. */
  readonly post: (message: Message) => void;
  /** Asks the embedding page for a new token. Resolves to false if none arrives. */
  readonly renew: () => Promise<boolean>;
  readonly keepJourney: (journey: Journey) => void;
  /** Forgets the connect link, which is no longer needed. */
  readonly forget: () => void;
}
