import type { ClientCertificate } from '../../core/kit/client-certificate.ts';
import type { Resolver } from '../../core/kit/guarded-connect.ts';
import { type Dialler, type DialTarget, dialSocket } from '../../core/kit/outbound-dial.ts';
import { HostileResolver } from './hostile-resolver.ts';
import { PUBLIC_ADDRESSES } from './inner-hosts.ts';

/**
 * The network outside as a test makes it: `https://<name>` leads to a server of this process, spoken to without TLS. What has no
 * name here is written down and not dialled, so that a guard that fails sends nothing.
 */
export class TestNet {
  /** Everything that was dialled, in order. */
  readonly dials: DialTarget[] = [];
  readonly names = new HostileResolver();
  readonly #servers = new Map<string, string>();
  readonly #certificates = new Map<number, ClientCertificate>();

  /** @param url the server's address on loopback; @returns its public address */
  add(name: string, url: string): string {
    this.names.script(name, [PUBLIC_ADDRESSES[0]]);
    this.#servers.set(name, url);
    return `https://${name}`;
  }

  knows(url: string): boolean {
    return this.#servers.has(new URL(url).hostname);
  }

  /** A public address as a person's browser reaches it in this process. */
  local(url: string): string {
    const { hostname, pathname, search } = new URL(url);
    return `${this.#servers.get(hostname) ?? ''}${pathname}${search}`;
  }

  /** Hosts that were dialled although the test gave them no name. */
  strangers(): readonly string[] {
    return this.dials.map(({ host }) => host).filter((host) => !this.#servers.has(host));
  }

  /** The client certificate of a connection, which a server knows by its peer's port. */
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
