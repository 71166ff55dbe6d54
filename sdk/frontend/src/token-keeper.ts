import { sessionRefOf } from './hex.ts';

/** The token, or a function that returns it and is called again when the token has expired. */
export type TokenSource = string | (() => string | Promise<string>);

/** Holds a session's token, and sends it to the window as soon as both are there. */
interface TokenKeeper {
  readonly ref: string | null;
  set(token: string): Promise<void>;
  /** Gets another token for the window. */
  ask(): Promise<void>;
  /** Sends the token, if there is one, to the window, which listens by now. */
  send(): void;
}

export function keepToken(
  source: TokenSource | undefined,
  post: (message: object) => void,
  onFailure: (error: unknown) => void,
): TokenKeeper {
  /** The token; empty if none could be obtained, undefined while none is known. */
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
