import { sessionRefOf } from './hex.ts';

/** The token, or how to get one: it is asked again when the first has expired. */
export type TokenSource = string | (() => string | Promise<string>);

/** Holds a session's token, and brings it to the window as soon as both are there. */
interface TokenKeeper {
  readonly ref: string | null;
  set(token: string): Promise<void>;
  /** The window needs another one. */
  ask(): Promise<void>;
  /** The window listens. */
  send(): void;
}

export function keepToken(
  source: TokenSource | undefined,
  post: (message: object) => void,
  onFailure: (error: unknown) => void,
): TokenKeeper {
  /** Empty where there is none to be had. */
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
