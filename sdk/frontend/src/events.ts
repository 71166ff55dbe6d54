export type CloseReason = 'finished' | 'user' | 'api' | 'expired' | 'failed_to_load';

interface Payloads {
  /** The window can receive messages. */
  readonly ready: Readonly<Record<string, never>>;
  /** The window shows its first screen. */
  readonly loaded: Readonly<Record<string, never>>;
  /** The user has chosen one of several integrations. */
  readonly select: { readonly integrationId: string };
  /** An account is connected; `connectionId` is present only if the service is set up to return it (deprecated). */
  readonly connect: { readonly integrationId: string; readonly connectionId?: string };
  /**
   * An attempt has failed; the window says why, and the user may try again. With `ui_load_failed`, the window itself could not be
   * loaded.
   */
  readonly error: { readonly code: string; readonly message: string };
  /** The window has closed. This is always the last event, and there is only one. */
  readonly close: { readonly reason: CloseReason };
}

export type ConnectUIEventType = keyof Payloads;

export type ConnectUIEvent = {
  readonly [Type in ConnectUIEventType]: {
    readonly type: Type;
    readonly payload: Payloads[Type];
    /** The time of the event (ISO 8601). */
    readonly at: string;
    /** Identifies the session without revealing it: the first 8 hex digits of its token's SHA-256. Null before it is known. */
    readonly sessionRef: string | null;
  };
}[ConnectUIEventType];

export type PayloadOf<Type extends ConnectUIEventType> = Payloads[Type];
