import { freePort } from '../../support/free-port.ts';
import { type Client, client } from '../../support/http-client.ts';
import { type ServiceProcess, startService } from '../../support/processes.ts';
import type { ServiceEnv } from '../../support/service-env.ts';

/** The end of a process by SIGKILL. Times are those of `performance.now`. */
export interface Kill {
  /** The name of the instance in the configuration of the reverse proxy. */
  readonly server: string;
  readonly at: number;
  /** The time at which the end was noticed. Until its sockets are closed, a killed process seems to accept connections. */
  readonly endedAt: number;
}

/** Instances of the service, each in a process of its own and at an address that it keeps over restarts. */
export class Fleet implements AsyncDisposable {
  readonly #env: ServiceEnv & Readonly<Record<string, string>>;
  readonly #ports: readonly number[];
  readonly #running = new Map<number, ServiceProcess>();
  /** What processes that have ended had printed. */
  readonly #printed: string[] = [];

  private constructor(env: Fleet['env'], ports: readonly number[]) {
    this.#env = env;
    this.#ports = ports;
  }

  static async start(env: Fleet['env'], count: number): Promise<Fleet> {
    const ports: number[] = [];
    while (ports.length < count) ports.push(await freePort());
    const fleet = new Fleet(env, ports);
    await Promise.all(ports.map((_, index) => fleet.start(index)));
    return fleet;
  }

  get env(): ServiceEnv & Readonly<Record<string, string>> {
    return this.#env;
  }

  get size(): number {
    return this.#ports.length;
  }

  get urls(): readonly string[] {
    return this.#ports.map((port) => `http://127.0.0.1:${port}`);
  }

  /** A client of the first instance. */
  get api(): Client {
    return client(this.urls[0] ?? '', this.#env.SVC_BOOTSTRAP_API_KEY);
  }

  /** Everything that the processes have printed. */
  get output(): readonly string[] {
    const now = [...this.#running.values()].flatMap(({ output }) => [output.stdout, output.stderr]);
    return [...this.#printed, ...now];
  }

  async start(index: number): Promise<void> {
    const service = await startService({ env: this.#env, port: this.#ports[index] ?? 0 });
    this.#running.set(index, service);
  }

  /** Kills an instance, and waits for the end of its process. */
  async kill(index: number): Promise<Kill> {
    const at = performance.now();
    this.#instance(index).signal('SIGKILL');
    await this.#ended(index);
    return { server: `svc${index + 1}`, at, endedAt: performance.now() };
  }

  /** Stops an instance by SIGTERM and starts it again. @returns the exit code */
  async restart(index: number): Promise<number | null> {
    this.#instance(index).signal('SIGTERM');
    const code = await this.#ended(index);
    await this.start(index);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.values()].map((service) => service.stop()));
  }

  #instance(index: number): ServiceProcess {
    const service = this.#running.get(index);
    if (service === undefined) throw new Error(`instance ${index} does not run`);
    return service;
  }

  async #ended(index: number): Promise<number | null> {
    const service = this.#instance(index);
    const { code } = await service.exit;
    this.#printed.push(service.output.stdout, service.output.stderr);
    this.#running.delete(index);
    return code;
  }
}
