import type { ClientCertificate } from '../../core/kit/client-certificate.ts';
import type { Resolver } from '../../core/kit/guarded-connect.ts';
import { type Dialler, type DialTarget, dialSocket } from '../../core/kit/outbound-dial.ts';
import { HostileResolver } from './hostile-resolver.ts';
import { PUBLIC_ADDRESSES } from './inner-hosts.ts';

/**
 * A simulated network in which a server of this process, without TLS, stands behind `https://<name>`. Attempts to connect to
 * other hosts are recorded and rejected, so that nothing is sent even if a guard of the service fails.
 */
export class TestNet {
  /** The targets of all attempts to connect, in order. */
  readonly dials: DialTarget[] = [];
  readonly names = new HostileResolver();
  readonly #servers = new Map<string, string>();
  readonly #certificates = new Map<number, ClientCertificate>();

  /** Gives a server a name. @param url the server's address on loopback @returns its public address */
  add(name: string, url: string): string {
    this.names.script(name, [PUBLIC_ADDRESSES[0]]);
    this.#servers.set(name, url);
    return `https://${name}`;
  }

  knows(url: string): boolean {
    return this.#servers.has(new URL(url).hostname);
  }

  /** Returns the address at which a person's browser in this process reaches a public address. */
  local(url: string): string {
    const { hostname, pathname, search } = new URL(url);
    return `${this.#servers.get(hostname) ?? ''}${pathname}${search}`;
  }

  /** Returns the hosts that were dialled although the test gave them no name. */
  strangers(): readonly string[] {
    return this.dials.map(({ host }) => host).filter((host) => !this.#servers.has(host));
  }

  /**
   * Returns the client certificate that the service has presented on a network connection, which a server identifies by its
   * peer's port.
   */
  certificateAt(port: number | undefined): string | undefined {
    return this.#certificates.get(port ?? 0)?.certificate;
  }

  readonly resolve: Resolver = (name) => this.names.resolve(name);

  readonly dial: Dialler = async (target) => {
    this.dials.push(target);
    const server = this.#servers.get(target.host);
    if (server === undefined) throw Object.assign(new Error('not dialled'), { code: 'ECONNREFUSED' });
    const socket = await dialSocket({ ...target, address: '127.0.0.1', port: Number(new URL(server).port), tls: false });
    const { localPort: port = 0 } = socket;
    if (target.certificate === undefined) this.#certificates.delete(port);
    else this.#certificates.set(port, target.certificate);
    return socket;
  };
}
