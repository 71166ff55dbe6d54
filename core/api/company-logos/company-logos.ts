import { isIP } from 'node:net';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Outbound } from '../../kit/outbound.ts';
import { SingleFlight } from '../../kit/single-flight.ts';
import { hasEmailDomain, recentLogo, storeLogo } from './company-logo-store.ts';
import { fetchByTemplate, fetchOwnIcon } from './fetch-logo.ts';
import { isFreeMail } from './free-mail.ts';
import { type ImageType, imageTypeOf } from './image-type.ts';

/** How long the result of a fetch is kept, whether or not it found an icon. */
const KEPT_DAYS = 30;
const PARALLEL = 4;
const MAX_WAITING = 100;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

interface CompanyLogosOptions {
  readonly db: Knex;
  readonly outbound: Pick<Outbound, 'call'>;
  /**
   * Where icons come from (`SVC_COMPANY_LOGOS`): `own` (the company's own site), `off` (there are none), or a service's URL with
   * `{domain}`.
   */
  readonly from: string;
  /** Timeout of all calls for one icon together, in milliseconds. Default: 10,000. */
  readonly totalMs?: number | undefined;
}

interface CompanyLogo {
  readonly image: Buffer;
  readonly type: ImageType;
}

/** The icons of end users' companies. An icon is fetched when it is first requested, and kept for 30 days. */
export class CompanyLogos {
  readonly #options: CompanyLogosOptions;
  readonly #flights = new SingleFlight<string, Buffer | undefined>();
  readonly #limit = pLimit(PARALLEL);

  constructor(options: CompanyLogosOptions) {
    this.#options = options;
  }

  /**
   * Returns the icon of a domain; undefined if there is none, or if too many fetches are waiting at the moment. Only domains in
   * which an end user of the environment has an e-mail address are looked up; otherwise a caller could make the service call any
   * host.
   */
  async find(environmentId: number, domain: string): Promise<CompanyLogo | undefined> {
    const name = domain.toLowerCase();
    const { db, from } = this.#options;
    if (from === 'off' || !DOMAIN.test(name) || isIP(name) !== 0 || isFreeMail(name)) return undefined;
    if (!(await hasEmailDomain(db, environmentId, name))) return undefined;
    const image = await this.#flights.run(name, () => this.#imageOf(name));
    const type = image && imageTypeOf(image);
    return image && type ? { image, type } : undefined;
  }

  /**
   * Returns the stored icon, or fetches it. The store is read here, within the one run per domain that `#flights` allows at a
   * time: a read before the run could miss what the previous run has just stored.
   */
  async #imageOf(domain: string): Promise<Buffer | undefined> {
    const kept = await recentLogo(this.#options.db, domain, KEPT_DAYS);
    if (kept !== undefined) return kept.image ?? undefined;
    if (this.#limit.pendingCount >= MAX_WAITING) return undefined;
    return this.#limit(() => this.#fetch(domain));
  }

  async #fetch(domain: string): Promise<Buffer | undefined> {
    const { db, from } = this.#options;
    const image = from === 'own' ? await fetchOwnIcon(this.#options, domain) : await fetchByTemplate(this.#options, from, domain);
    await storeLogo(db, domain, image ?? null);
    return image;
  }
}
