import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { nothingStuck } from '../support/checker.ts';
import { type Connected, readConnection } from '../support/connect.ts';
import { Installation } from '../support/installation.ts';
import { startRenewalServer } from '../support/renewing-modes/renewal-server.ts';
import { ASKING_NAMES, RENEWING_NAMES, renewingMode } from '../support/renewing-modes/renewing-modes.ts';
import { integrateRenewing, makeRenewingProviders, storeRenewing } from '../support/renewing-modes/store-renewing.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { isLong, size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { transientRows } from '../support/transient-rows.ts';
import { use } from '../support/use.ts';

const EXPIRED_SECONDS = 3601;
/** The longest time for which a killed refresh may keep others from refreshing its connection. */
const UNSTUCK_SECONDS = 60;
const ROUNDS = size(1, 5);

const POINTS = ['refresh-before-send', 'refresh-after-send', 'refresh-after-answer', 'refresh-after-commit'] as const;
type Point = (typeof POINTS)[number];

/**
 * The modes to test. An everyday run leaves out modes that send no request, and `OAUTH2`, because `killed-refresh.test.ts`
 * already kills its refreshes at every point, with providers that accept a refresh token once.
 */
const NAMES = isLong ? RENEWING_NAMES : ASKING_NAMES.filter((name) => name !== 'OAUTH2');

/**
 * Returns the points at which a mode's refresh is killed; in an everyday run, one. A mode whose tokens the service itself creates
 * has no point after a request.
 */
function pointsOf(name: string, index: number): readonly Point[] {
  const reached = POINTS.filter((point) => renewingMode(name).requests > 0 || point !== 'refresh-after-send');
  return isLong ? reached : reached.slice(index % reached.length, (index % reached.length) + 1);
}

describe('a service that is killed in the middle of a refresh, with credentials of every mode (REF-02)', function () {
  this.timeout(size(60_000, 240_000));
  const server = use(this, startRenewalServer);
  const folders = use(this, makeRenewingProviders);
  const installation = use(this, () => Installation.open());
  let survivor: TestApp;

  before(async () => {
    survivor = await installation.startApp({ SVC_PROVIDERS_DIR: folders.path });
    await integrateRenewing(survivor, server.url);
  });
  afterEach(() => server.always('token', {}));

  for (const [index, name] of NAMES.entries()) {
    for (const point of pointsOf(name, index)) {
      it(`leaves a healthy connection: ${name}, ${point}`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) await killOnce(name, point);
      });
    }
  }

  async function killOnce(name: string, point: Point): Promise<void> {
    const connected = await storeRenewing(survivor, name);
    await installation.advance(EXPIRED_SECONDS);
    const before = server.requestsOf(name);
    await killInside(point, connected);
    const { requests } = renewingMode(name);
    const wasSent = { 'refresh-before-send': 0, 'refresh-after-send': 1 }[point as string] ?? requests;
    expect(server.requestsOf(name) - before, 'requests before the kill').to.equal(wasSent);
    const left = await storedConnection(installation.db, connected);
    expect(left.generation).to.equal(point === 'refresh-after-commit' ? 2 : 1);
    expect(left.refresh_owner === null).to.equal(point === 'refresh-after-commit');

    await installation.advance(UNSTUCK_SECONDS);
    const { status, text } = await readConnection(survivor, connected);
    expect(status, text).to.equal(200);
    expect(text).to.include(server.issued.get(name) ?? '');
    expect(await storedConnection(installation.db, connected)).to.include({
      state: 'healthy',
      generation: 2,
      refresh_unknown: false,
    });
    expect(nothingStuck(await transientRows(installation.db), new Date())).to.deep.equal([]);
  }

  /** Reads the connection from a process that kills itself during the refresh. */
  async function killInside(point: Point, connected: Connected): Promise<void> {
    const victim = await installation.startProcess({
      FAULT_AT: `${point}:1`,
      SVC_ROLE: 'web',
      SVC_PROVIDERS_DIR: folders.path,
    });
    const responseBarrier = new Barrier();
    if (point === 'refresh-after-send') server.next('token', { responseBarrier });
    const response = await readConnection(victim, connected).catch((error: unknown) => error);
    expect(await victim.process.exit).to.deep.equal({ code: null, signal: 'SIGKILL' });
    expect(response).to.be.instanceOf(Error);
    responseBarrier.open();
    await Promise.all(server.ledger.entries.map(({ ended }) => ended));
  }
});
