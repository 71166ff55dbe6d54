export type CloseReason = 'finished' | 'user' | 'api' | 'expired' | 'failed_to_load';

interface Payloads {
  /** The window listens. */
  readonly ready: Readonly<Record<string, never>>;
  /** Its first screen is shown. */
  readonly loaded: Readonly<Record<string, never>>;
  /** The user has chosen one of several integrations. */
  readonly select: { readonly integrationId: string };
  /** An account is connected; `connectionId` only where the service is set up to tell it (deprecated). */
  readonly connect: { readonly integrationId: string; readonly connectionId?: string };
  /** An attempt has failed, and the user reads why; he may try again. `ui_load_failed`: there is no window. */
  readonly error: { readonly code: string; readonly message: string };
  /** Always the last one, and there is only one. */
  readonly close: { readonly reason: CloseReason };
}

export type ConnectUIEventType = keyof Payloads;

export type ConnectUIEvent = {
  readonly [Type in ConnectUIEventType]: {
    readonly type: Type;
    readonly payload: Payloads[Type];
    /** ISO 8601. */
    readonly at: string;
    /** Names the session without giving it away: the first 8 hex digits of its token's SHA-256. Null before it is known. */
    readonly sessionRef: string | null;
  };
}[ConnectUIEventType];

export type PayloadOf<Type extends ConnectUIEventType> = Payloads[Type];
