import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIPv6, Socket } from 'node:net';
import { type buildConnector, type Dispatcher, Agent as UndiciAgent } from 'undici';
import { parseAllowList } from './address-guard.ts';
import { GuardedConnect, type Resolver, resolveBySystem } from './guarded-connect.ts';
import type { Logger } from './logger.ts';
import { boundedCall, type OutboundRequest, type OutboundResponse } from './outbound-call.ts';
import { type Dialler, dialSocket } from './outbound-dial.ts';
import { addressNotAllowed } from './outbound-error.ts';

export type { OutboundRequest, OutboundResponse } from './outbound-call.ts';
export { OutboundError, toOutboundError } from './outbound-error.ts';

/** What every connection pool of an origin may hold. Timeouts of a streaming exchange are set by who dispatches it. */
const POOL = {
  connections: 256,
  pipelining: 1,
  allowH2: false,
  maxHeaderSize: 32 * 1024,
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
  keepAliveMaxTimeout: 60_000,
};

/** The only door to the network. Every address is checked before it is dialled, and the checked address is the one dialled. */
export interface Outbound extends AsyncDisposable {
  /**
   * Refuses schemes but https (http where the allow list opens the host), user info, and literal addresses that are not
   * public.
   *
   * @throws OutboundError `address_not_allowed`
   */
  check(url: URL): void;
  /** One bounded call; redirects are never followed. @throws OutboundError */
  call(url: URL | string, request?: OutboundRequest): Promise<OutboundResponse>;
  /** For streaming exchanges (`proxy/send.ts`); `check` comes first, the connection itself is guarded too. */
  readonly dispatcher: Dispatcher;
  /** For WebSocket upgrades (`proxy/upgrade.ts`): a guarded agent of the protocol `http:` or `https:`. */
  agent(protocol: string): HttpAgent;
}

interface OutboundOptions {
  /** Entries as `parseAllowList` reads them. */
  readonly allow: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolver | undefined;
  /** Default: `dialSocket`. Tests pass one that records and opens nothing. */
  readonly dial?: Dialler | undefined;
  /** Logs which addresses were refused, since the caller is not shown them. */
  readonly log?: Pick<Logger, 'warn'>;
}

/**
 * Makes the door. Proxies named by the environment (`HTTPS_PROXY`) are not used: they would resolve names elsewhere.
 *
 * @throws RangeError for a wrong entry of `allow`
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { allow, resolve = resolveBySystem, dial = dialSocket, log } = options;
  const guard = new GuardedConnect({ allow: parseAllowList(allow), resolve, dial, log });
  const check = (url: URL) => guard.check(url);
  const dispatcher = new UndiciAgent({ ...POOL, connect: undiciConnector(guard) });
  const httpAgent = guardedAgent(new HttpAgent(), 'http:', guard);
  const httpsAgent = guardedAgent(new HttpsAgent(), 'https:', guard);
  return {
    check,
    call: (url, request) => boundedCall({ dispatcher, check }, url, request),
    dispatcher,
    agent: (protocol) => (protocol === 'https:' ? httpsAgent : httpAgent),
    async [Symbol.asyncDispose]() {
      guard[Symbol.dispose]();
      httpAgent.destroy();
      httpsAgent.destroy();
      await dispatcher.destroy();
    },
  };
}

/** undici's `servername` is left aside: it follows a `Host` header, and so would the certificate that is asked for. */
function undiciConnector(guard: GuardedConnect): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    connectTo(guard, { protocol, host: hostname, port }).then(
      (socket) => callback(null, socket.prependListener('error', renameReset)),
      (error: Error) => callback(error, null),
    );
  };
}

/**
 * undici treats a reset, which has this code, as the end of a body without length (client-h1.js,
 * onHttpSocketError): under another name it stays the fault it is.
 */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET') error.code = 'ERR_CONNECTION_RESET';
}

/** The agent's other options (`socketPath`, `localAddress`, `rejectUnauthorized`, `lookup`, `servername`) have no effect. */
function guardedAgent<A extends HttpAgent>(agent: A, protocol: string, guard: GuardedConnect): A {
  const createConnection: HttpAgent['createConnection'] = ({ host, port }, callback) => {
    connectTo(guard, { protocol, host: host ?? '', port: port ?? '' }).then(
      (socket) => callback?.(null, socket),
      // Node's type asks for a stream beside the error; its agent does not look at it.
      (error: Error) => callback?.(error, new Socket()),
    );
    return undefined;
  };
  return Object.assign(agent, { createConnection });
}

interface Destination {
  readonly protocol: string;
  readonly host: string;
  readonly port: string | number;
}

/** Through a URL, so that every door sees a host in the one spelling that was checked. */
async function connectTo(guard: GuardedConnect, { protocol, host, port }: Destination): Promise<Socket> {
  const authority = isIPv6(host) ? `[${host}]` : host;
  const origin = URL.parse(`${protocol}//${authority}${port === '' ? '' : `:${port}`}`);
  if (origin === null) throw addressNotAllowed();
  return await guard.connect(origin);
}
