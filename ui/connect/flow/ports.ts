import type { faultsIn, payloadOf } from '../../kit/fields/form-rules.ts';
import type { ConnectForm, Session } from '../../kit/wire.ts';
import type { Api } from './api.ts';

/** The sign-in's window, as far as the browser lets us touch it: a page with COOP looks closed. */
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

/** A visit to the provider in this tab: what the page needs when it comes back, when its session may be over. */
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
  /** `frame`: in another page, where sign-ins open a window; `page`: a link, where they take this tab. */
  readonly mode: 'frame' | 'page';
  /** Of the service, with a slash at its end. */
  readonly base: string;
  /** Of forms; there as soon as one is in front. */
  readonly rules: () => FormRules;
  /** Which of several integrations the page around wants at once. */
  readonly wanted: string | null;
  /** In the environment's language, unless the page around has named one. @param language BCP 47; null: the browser's */
  readonly speak: (language: string | null) => Promise<void>;
  readonly now: () => Date;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly online: () => Promise<void>;
  readonly openWindow: (url: string) => Popup | null;
  /** Takes this tab elsewhere. */
  readonly leave: (url: string) => void;
  /** To the page around; a page of its own has none. */
  readonly post: (message: Message) => void;
  /** Asks the page around for another token. */
  readonly renew: () => Promise<boolean>;
  readonly keepJourney: (journey: Journey) => void;
  /** The link has done its work. */
  readonly forget: () => void;
}
