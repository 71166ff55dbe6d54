import type { faultsIn, payloadOf } from '../../kit/fields/form-rules.ts';
import type { ConnectForm, Session } from '../../kit/wire.ts';
import type { Api } from './api.ts';

/** The sign-in's window, as far as the browser gives access to it: a page with COOP looks closed. */
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

/** A visit to the provider in this tab: what the page needs when the user comes back, when its session may be over. */
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
  /** `frame`: the window is in another page, and sign-ins open a window; `page`: it was opened by a link, and they use this tab. */
  readonly mode: 'frame' | 'page';
  /** The URL of the service, with a slash at its end. */
  readonly base: string;
  /** Returns the rules of forms; they are loaded as soon as a form is shown. */
  readonly rules: () => FormRules;
  /** The one of several integrations that the page around wants to open at once; null if it names none. */
  readonly wanted: string | null;
  /** Uses the environment's language, unless the page around has named one. @param language BCP 47; null means the browser's */
  readonly speak: (language: string | null) => Promise<void>;
  readonly now: () => Date;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly online: () => Promise<void>;
  readonly openWindow: (url: string) => Popup | null;
  /** Leads this tab to another address. */
  readonly leave: (url: string) => void;
  /** Sends a message to the page around; a window that is a page has none. */
  readonly post: (message: Message) => void;
  /** Asks the page around for another token; false if there is none. */
  readonly renew: () => Promise<boolean>;
  readonly keepJourney: (journey: Journey) => void;
  /** Forgets the link, which has done its work. */
  readonly forget: () => void;
}
