import { sessionRefOf } from './hex.ts';

/** A session token, or a function that returns one and is called again when the token has expired. */
export type TokenSource = string | (() => string | Promise<string>);

/** Holds the session token, and sends it to the window as soon as the token is known and the window listens. */
interface TokenKeeper {
  readonly ref: string | null;
  set(token: string): Promise<void>;
  /** Obtains a new token from the source and sends it to the window, or tells the window that there is none. */
  ask(): Promise<void>;
  /** Sends the token, if it is known, to the window. Called as soon as the window listens. */
  send(): void;
}

export function keepToken(
  source: TokenSource | undefined,
  post: (message: object) => void,
  onFailure: (error: unknown) => void,
): TokenKeeper {
  /** The token; empty if it could not be obtained, undefined as long as it is not known. */
  let token: string | undefined;
  const keeper = {
    ref: null as string | null,
    async set(given: string) {
      token = given;
      keeper.ref = await sessionRefOf(given);
      keeper.send();
    },
    async ask() {
      let given = '';
      try {
        if (typeof source === 'function') given = await (await source)();
      } catch (error) {
        onFailure(error);
      }
      keeper.set(given);
    },
    send() {
      if (token !== undefined) post(token ? { type: 'session_token', token } : { type: 'no_token' });
    },
  };
  if (typeof source === 'function') keeper.ask();
  else if (source) keeper.set(source);
  return keeper;
}
