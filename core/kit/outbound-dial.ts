import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ClientCertificate } from './client-certificate.ts';

const TCP_KEEP_ALIVE_MS = 60_000;

/** An address to dial. It has been checked, and no name is resolved after the check. */
export interface DialTarget {
  readonly address: string;
  readonly port: number;
  /** The host that the caller named: a name or an address, without brackets. */
  readonly host: string;
  readonly tls: boolean;
  /** The name that the certificate must carry and that is sent as SNI; absent when the host is an address (RFC 6066 §3). */
  readonly servername?: string;
  /** Presented to a TLS server that asks for one. */
  readonly certificate?: ClientCertificate;
  /**
   * A proxy's tunnel to the host, used instead of a new connection to the address. It is closed together with the connection that
   * uses it.
   */
  readonly tunnel?: Socket;
  readonly signal: AbortSignal;
}

/**
 * Opens a network connection. When the promise resolves, it is ready for use: with TLS, the handshake is complete and the
 * certificate is checked.
 */
export type Dialler = (target: DialTarget) => Promise<Socket>;

/** The dialler of the service. @throws the error that the socket reports, or the signal's AbortError */
export const dialSocket: Dialler = async ({ address, port, tls, servername, certificate, tunnel, signal }) => {
  const tlsOptions = {
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(servername === undefined ? {} : { servername }),
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.privateKey }),
  };
  const place = tunnel === undefined ? { host: address, port } : { socket: tunnel };
  const socket = tls ? connectTls({ ...place, ...tlsOptions }) : connectTcp({ host: address, port });
  // An error that is emitted before the caller attaches a listener would otherwise end the process.
  socket.on('error', () => undefined);
  socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS);
  try {
    await once(socket, tls ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    tunnel?.destroy();
    throw error;
  }
};
