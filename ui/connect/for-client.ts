import { baseAddress } from '../kit/browser.ts';
import { catchBack } from './back-button.ts';
import type { Message } from './flow/ports.ts';
import { closeOnEscape, endWithFrame } from './in-frame.ts';
import { startVisit } from './visit.tsx';

/** Time after which the window gives up waiting for a token. */
const TOKEN_MS = 10_000;

interface FromPage {
  readonly type?: unknown;
  readonly sessionToken?: unknown;
}

/**
 * Starts the window for the client library of another product, which opens it in a frame or by a link with a token. The origin of
 * the embedding page is known only from its message with the token: before it, only `ready` is sent; after it, all messages go to
 * that origin.
 */
export function startForClient(root: HTMLElement): void {
  const query = new URLSearchParams(location.search);
  const token = query.get('session_token');
  if (parent === window) {
    const looks = [...query].filter(([name]) => name === 'lang' || name === 'theme');
    const search = looks.length > 0 ? `?${new URLSearchParams(looks)}` : '';
    location.replace(`${baseAddress()}connect/l${search}${token === null ? '' : `#${token}`}`);
    return;
  }

  let hasBegun = false;
  const begin = (given: string, origin?: string) => {
    if (hasBegun) return;
    hasBegun = true;
    const visit = startVisit(root, {
      mode: 'frame',
      wanted: null,
      lang: query.get('lang'),
      theme: () => query.get('theme'),
      token: () => given,
      origin: origin ?? originAround(),
      post: (message) => origin !== undefined && tell(message, origin),
      renew: () => Promise.resolve(false),
      keepJourney() {},
      forget() {},
    });
    catchBack(visit.window);
    closeOnEscape(visit.window);
    endWithFrame(visit.window);
    if (given === '') visit.window.refuseToken();
    else void visit.window.load();
  };
  addEventListener('message', ({ source, origin, data }: MessageEvent<FromPage | null>) => {
    if (source !== parent || origin === 'null' || data?.type !== 'session_token' || typeof data.sessionToken !== 'string') return;
    begin(data.sessionToken, origin);
  });
  setTimeout(() => begin(token ?? ''), token === null ? TOKEN_MS : 0);
  // Any origin may receive this message, since it contains no data.
  parent.postMessage({ type: 'ready' }, '*');
}

/** Returns the origin of the embedding page, for the service to check; `null`, which is never allowed, if the page hides it. */
function originAround(): string {
  const around = location.ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin;
  return around ?? 'null';
}

/** Sends a message in the client's own protocol. Messages that have no counterpart there are dropped. */
function tell(message: Message, origin: string): void {
  const told = translated(message);
  if (told !== undefined) parent.postMessage(told, origin);
}

function translated(message: Message): object | undefined {
  if (message.type === 'close') return { type: 'close' };
  if (message.type === 'error') {
    const { code, message: text } = message.payload;
    return { type: 'error', payload: { errorType: code, errorMessage: text } };
  }
  if (message.type !== 'connect') return undefined;
  const { integration, connection_id: connectionId } = message.payload;
  return { type: 'connect', payload: { providerConfigKey: integration, connectionId, isPending: false } };
}
