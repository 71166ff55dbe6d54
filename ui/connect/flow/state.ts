import type { Faults, Values } from '../../kit/fields/form.ts';
import type { Account, ConnectForm, Flow, Integration, Session } from '../../kit/wire.ts';

/** The reason why an attempt ended without a connection. */
export interface Failure {
  readonly code: string;
  /** The message for the user from a plugin or script; null if there is none. */
  readonly message: string | null;
  readonly logId: string | null;
  readonly at: Date;
  /** The time from which it makes sense to try again; null means immediately. */
  readonly retryAt: Date | null;
}

export type EndReason = 'expired' | 'used' | 'missing';

export type Screen =
  | { readonly at: 'loading'; readonly isLong: boolean }
  | { readonly at: 'picker' }
  | { readonly at: 'opening'; readonly integration: Integration }
  | {
      readonly at: 'start';
      readonly form: ConnectForm;
      readonly faults: Faults;
      /** The failure of the previous attempt, shown above the form. */
      readonly failure: Failure | null;
      readonly isChecking: boolean;
      /** Number of submissions that found faults. Each change moves the focus to the first fault. */
      readonly attempts: number;
    }
  | {
      readonly at: 'waiting';
      readonly form: ConnectForm;
      readonly launchUrl: string;
      readonly isBlocked: boolean;
      readonly isLate: boolean;
      /**
       * True if this page cannot show the sign-in window, either because it is at the provider or because the user closed it; the
       * browser does not say which.
       */
      readonly isLost: boolean;
    }
  /** This tab is about to leave for the provider. */
  | { readonly at: 'leaving'; readonly form: ConnectForm }
  | { readonly at: 'verifying'; readonly form: ConnectForm }
  | {
      readonly at: 'choosing';
      readonly form: ConnectForm;
      readonly options: Flow['options'];
      readonly isSending: boolean;
      /** The failure of the previous choice; the user can choose again. */
      readonly failure: Failure | null;
    }
  | { readonly at: 'success'; readonly form: ConnectForm; readonly account: Account | null; readonly isLimited: boolean }
  | { readonly at: 'failure'; readonly form: ConnectForm | null; readonly failure: Failure }
  | { readonly at: 'ended'; readonly reason: EndReason }
  | { readonly at: 'nothing' }
  | { readonly at: 'not_allowed' };

export interface WindowState {
  readonly screen: Screen;
  readonly session: Session | null;
  readonly values: Values;
  readonly isAskingToDiscard: boolean;
  readonly isOffline: boolean;
}

export const INITIAL: WindowState = {
  screen: { at: 'loading', isLong: false },
  session: null,
  values: {},
  isAskingToDiscard: false,
  isOffline: false,
};
