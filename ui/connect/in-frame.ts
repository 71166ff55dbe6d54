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

/** Starts the window in a frame of an application's page, which opened it by the SDK. */
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

/** Creates the wait for another token, which is limited: a token that comes later begins again. */
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
    /** Ends the wait. @returns false if nothing waits */
    end(isRenewed: boolean): boolean {
      const tell = waiting;
      waiting = undefined;
      tell?.(isRenewed);
      return tell !== undefined;
    },
  };
}

/** Cancels the attempt when the page around takes the frame away: it connects nothing any more. */
export function endWithFrame(window: ConnectWindow): void {
  addEventListener('pagehide', () => window.startOver());
}

export function closeOnEscape(window: Pick<ConnectWindow, 'requestClose'>): void {
  addEventListener('keydown', (event) => {
    // The first Esc ends a composition of an input method.
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    window.requestClose();
  });
}

/** Returns a text that is exactly an origin, so that nothing is sent to `*` or to a part of an address; undefined for any other. */
function originOf(text: string | null): string | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  return origin === text && origin !== 'null' ? origin : undefined;
}
