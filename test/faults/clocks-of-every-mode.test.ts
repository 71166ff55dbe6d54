import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { type Connected, readConnection } from '../support/connect.ts';
import { Installation } from '../support/installation.ts';
import { startRenewalServer } from '../support/renewing-modes/renewal-server.ts';
import { RENEWING_NAMES } from '../support/renewing-modes/renewing-modes.ts';
import { integrateRenewing, makeRenewingProviders, storeRenewing } from '../support/renewing-modes/store-renewing.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const MINUTE_MS = 60_000;
const HOUR_SECONDS = 3_600;
const STEP_SECONDS = 300;
const HOURS = size(2, 24);
/**
 * The bounds of the time between two refreshes: a token lives an hour and is refreshed by the first request in its last ten
 * minutes.
 */
const [EARLIEST_SECONDS, LATEST_SECONDS] = [HOUR_SECONDS - 600 - STEP_SECONDS, HOUR_SECONDS];
const MOST_RENEWALS = Math.ceil((HOURS * HOUR_SECONDS) / EARLIEST_SECONDS) + 1;

const PROVIDER_CLOCKS = { right: 0, 'an hour ahead': 60 * MINUTE_MS, 'an hour behind': -60 * MINUTE_MS } as const;

describe('clocks that differ by minutes, with credentials of every mode (REF-10)', function () {
  this.timeout(size(30_000, 600_000));
  const server = use(this, startRenewalServer);
  const folders = use(this, makeRenewingProviders);
  const installation = use(this, () => Installation.open());
  let instances: [fast: TestApp, slow: TestApp];

  before(async () => {
    const start = () => installation.startApp({ SVC_PROVIDERS_DIR: folders.path });
    instances = [await start(), await start()];
    await integrateRenewing(instances[0], server.url);
  });
  beforeEach(async () => {
    await setApart(10);
  });
  afterEach(async () => {
    await setApart(-10);
  });

  /** Moves the clocks of the instances apart, each by `minutes` from the clock of the database. */
  async function setApart(minutes: number): Promise<void> {
    const [fast, slow] = instances;
    await fast.clock.advance(minutes * MINUTE_MS);
    await slow.clock.advance(-minutes * MINUTE_MS);
  }

  for (const [is, aheadMs] of Object.entries(PROVIDER_CLOCKS)) {
    it(`cause no additional refreshes and no late ones when the provider's clock is ${is}`, async () => {
      server.aheadMs = aheadMs;
      const connections = await Promise.all(
        RENEWING_NAMES.map(async (name) => new Watched(name, await storeRenewing(instances[0], name))),
      );
      for (let seconds = 0; seconds < HOURS * HOUR_SECONDS; seconds += STEP_SECONDS) {
        for (const connection of connections) for (const instance of instances) await connection.read(instance, seconds);
        await installation.advance(STEP_SECONDS);
        // Halfway through, both instances' clocks jump to the other side of the database's clock.
        if (seconds === (HOURS * HOUR_SECONDS) / 2) await setApart(-20);
      }
      await setApart(20);
      for (const { name, renewedAt } of connections) {
        expect(renewedAt, name).to.have.length.within(HOURS, MOST_RENEWALS);
        const gaps = renewedAt.map((at, index) => at - (renewedAt[index - 1] ?? 0));
        for (const gap of gaps) expect(gap, `${name}: ${renewedAt}`).to.be.within(EARLIEST_SECONDS, LATEST_SECONDS);
      }
    });
  }
});

/** A connection, and the times at which a reader saw that its credentials had changed. */
class Watched {
  readonly name: string;
  readonly renewedAt: number[] = [];
  readonly #connected: Connected;
  #shown: string | undefined;

  constructor(name: string, connected: Connected) {
    this.name = name;
    this.#connected = connected;
  }

  async read(instance: TestApp, seconds: number): Promise<void> {
    const { status, text, body } = await readConnection(instance, this.#connected);
    expect(status, `${this.name}: ${text}`).to.equal(200);
    // The expiry is left out of the comparison, because `advance` moves it in the database.
    const { expires_at: _, ...shown } = body.credentials;
    const now = JSON.stringify(shown, (key, value) => (key === 'expires_at' ? undefined : value));
    if (this.#shown !== undefined && this.#shown !== now) this.renewedAt.push(seconds);
    this.#shown = now;
  }
}
