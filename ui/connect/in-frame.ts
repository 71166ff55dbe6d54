import { catchBack } from './back-button.ts';
import type { ConnectWindow } from './flow/connect-window.ts';
import type { Message } from './flow/ports.ts';
import { startVisit } from './visit.tsx';

const RENEWAL_MS = 60_000;

interface FromPage {
  readonly svc?: unknown;
  readonly type?: unknown;
  readonly token?: unknown;
  readonly theme?: unknown;
}

/** Starts the window in a frame of an application's page, where the SDK opened it. */
export function startInFrame(root: HTMLElement): void {
  const settings = new URLSearchParams(location.hash.slice(1));
  const origin = originOf(settings.get('origin'));
  let token = '';
  let theme = settings.get('theme') || null;

  const post = (message: Message) => {
    if (origin !== undefined && parent !== window) parent.postMessage({ svc: 1, ...message }, origin);
  };
  const renewal = createRenewal(() => post({ type: 'session_expired' }));
  const visit = startVisit(root, {
    mode: 'frame',
    wanted: settings.get('integration') || null,
    lang: settings.get('lang') || null,
    theme: () => theme,
    token: () => token,
    ...(origin !== undefined && { origin }),
    post,
    renew: renewal.begin,
    keepJourney() {},
    forget() {},
  });
  const takeToken = (given: string | undefined) => {
    const before = token;
    token = given ?? token;
    if (renewal.end(given !== undefined) || given === before) return;
    if (given === undefined) visit.window.refuseToken();
    else void visit.window.load();
  };
  const receive = ({ source, origin: sender, data }: MessageEvent<FromPage | null>) => {
    if (source !== parent || sender !== origin || data?.svc !== 1) return;
    if (data.type === 'session_token' && typeof data.token === 'string') takeToken(data.token);
    if (data.type === 'no_token') takeToken(undefined);
    if (data.type === 'close_request') visit.window.requestClose();
    if (data.type === 'theme' && typeof data.theme === 'string') {
      theme = data.theme;
      visit.paint();
    }
  };
  addEventListener('message', receive);
  endWithFrame(visit.window);
  closeOnEscape(visit.window);
  if (origin === undefined || parent === window) {
    visit.window.refuseToken();
    return;
  }
  catchBack(visit.window);
  visit.window.awaitToken();
  post({ type: 'ready' });
}

/**
 * Creates the wait for a new token, which ends after a minute. A token that arrives later makes the window load the session
 * again.
 */
function createRenewal(ask: () => void) {
  let waiting: ((isRenewed: boolean) => void) | undefined;
  return {
    begin: () =>
      new Promise<boolean>((resolve) => {
        waiting = resolve;
        setTimeout(() => {
          if (waiting === resolve) waiting = undefined;
          resolve(false);
        }, RENEWAL_MS);
        ask();
      }),
    /** Ends the wait. @param isRenewed true if a token has arrived @returns false if nothing was waiting for one */
    end(isRenewed: boolean): boolean {
      const tell = waiting;
      waiting = undefined;
      tell?.(isRenewed);
      return tell !== undefined;
    },
  };
}

/** Cancels the attempt when the embedding page removes the frame, so that it cannot connect anything afterwards. */
export function endWithFrame(window: ConnectWindow): void {
  addEventListener('pagehide', () => window.startOver());
}

export function closeOnEscape(window: Pick<ConnectWindow, 'requestClose'>): void {
  addEventListener('keydown', (event) => {
    // While an input method is composing, Esc only cancels the composition.
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    window.requestClose();
  });
}

/**
 * Returns the text if it is exactly an origin, otherwise undefined, so that messages never go to `*` or to the origin of a longer
 * URL.
 */
function originOf(text: string | null): string | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  return origin === text && origin !== 'null' ? origin : undefined;
}
