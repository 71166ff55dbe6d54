import { withLowerCaseNames } from '../../kit/header-names.ts';
import type { Outbound } from '../../kit/outbound.ts';

const TIMEOUT_MS = 5_000;

/** Requests an upgrade from a URL without a WebSocket. @returns the response headers; undefined without a response */
export function requestUpgrade(
  outbound: Pick<Outbound, 'check' | 'dispatcher'>,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<string, string>> | undefined>();
  const limits = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  outbound.check(url);
  outbound.dispatcher.dispatch(
    { origin: url.origin, path: url.pathname, method: 'GET', upgrade: 'websocket', headers, ...limits },
    {
      // undici requires all of them.
      onRequestStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      onResponseStart: (_controller, _status, received) => resolve(withLowerCaseNames(Object.entries(received))),
      onRequestUpgrade: (_controller, _status, received, socket) => {
        socket.destroy();
        resolve(withLowerCaseNames(Object.entries(received)));
      },
      onResponseError: () => resolve(undefined),
    },
  );
  return promise.finally(() => clearTimeout(timer));
}
