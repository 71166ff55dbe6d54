import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { presentedOnce } from '../support/checker.ts';
import { type Connected, connect, readConnection, type Service } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { startScaled } from '../support/scaled-instance.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { isLong, size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { enableWebhooks, storedWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { use, useEach } from '../support/use.ts';

/** The factor for all durations: a long run uses the real ones, every other run a tenth of them. */
const FACTOR = isLong ? 1 : 0.1;
const EXPIRED_SECONDS = 3601;
const LATE_RESPONSES = size(4, 40);
/**
 * The delays of the provider's responses. The service gives up a call after 120 s. An everyday run keeps a larger distance,
 * because a tenth of 10 s is too little on a loaded machine.
 */
const LATE_SECONDS = { shortest: 25, longest: size(95, 110) };
const STOP_SECONDS = isLong ? [10, 15, 20, 22, 25, 30, 35, 40, 45, 50, 55, 60, 110, 300] : [22, 60, 110];
/** The interval between reads of the token, before `FACTOR` applies. */
const READ_EVERY_MS = 1_000;

/** One connection, and its provider, which holds the response to the refresh back (`held`). */
interface Run {
  readonly provider: FakeProvider;
  readonly connected: Connected;
  readonly held: Barrier;
}

describe('a strictly rotating provider whose responses come late (REF-03)', function () {
  this.timeout(size(90_000, 1_200_000));
  const installation = use(this, () => Installation.open());
  const holder = use(this, () => startScaled(installation, FACTOR));
  const other = use(this, () => startScaled(installation, FACTOR));
  const providers = useEach(this, () => new AsyncDisposableStack());
  let integrations = 0;

  before(() => enableWebhooks(installation.db, { on_new_connection: false }));

  it(`keeps every connection: ${LATE_RESPONSES} responses after ${LATE_SECONDS.shortest} s to ${LATE_SECONDS.longest} s`, async () => {
    const runs = await begin(LATE_RESPONSES);
    const step = (LATE_SECONDS.longest - LATE_SECONDS.shortest) / Math.max(1, runs.length - 1);
    await Promise.all(
      runs.map(async (run, index) => {
        // Every second connection is read by another instance, too.
        const isDone = openAfter(run, LATE_SECONDS.shortest + index * step);
        await readWhile([holder, ...(index % 2 === 0 ? [other] : [])], run, isDone);
        await expectKept(run);
      }),
    );
    await expectNoWebhook();
  });

  for (const seconds of STOP_SECONDS)
    for (const isReadElsewhere of isLong ? [true, false] : [seconds >= 60])
      it(`keeps a connection whose holder stops for ${seconds} s, ${isReadElsewhere ? 'read elsewhere' : 'unread'}`, async () => {
        const [run] = await begin(1);
        if (run === undefined) throw new Error('nothing began');
        holder.program.process.kill('SIGSTOP');
        const isAwake = openAfter(run, 0).then(() => wait(seconds * FACTOR * 1000));
        await readWhile(isReadElsewhere ? [other] : [], run, isAwake);
        expect((await storedConnection(installation.db, run.connected)).generation, 'the holder is stopped').to.equal(1);
        holder.program.process.kill('SIGCONT');
        await expectKept(run);
        await expectNoWebhook();
      });

  /** Connects `count` connections and starts their refreshes at the holder, while their providers hold the responses back. */
  async function begin(count: number): Promise<Run[]> {
    const runs: Run[] = [];
    for (let index = 0; index < count; index += 1) {
      const provider = providers.use(await startFakeProvider({ rotation: 'strict' }));
      const connected = await connect(holder, provider, `fake-${integrations}`);
      integrations += 1;
      runs.push({ provider, connected, held: new Barrier() });
    }
    await installation.advance(EXPIRED_SECONDS);
    for (const { provider, connected, held } of runs) {
      provider.next('token', { responseBarrier: held });
      readConnection(holder, connected).catch(() => undefined);
    }
    await Promise.all(runs.map(({ provider }) => provider.ledger.arrived('token', 2)));
    await Promise.all(runs.map(({ held }) => held.arrived()));
    return runs;
  }

  async function openAfter({ held }: Run, seconds: number): Promise<void> {
    await wait(seconds * FACTOR * 1000);
    held.open();
  }

  /**
   * Reads the connection repeatedly until a promise resolves, and asserts that no reader learns that the user must authorize
   * again.
   */
  async function readWhile(services: readonly Service[], { connected }: Run, until: Promise<void>): Promise<void> {
    let isOver = false;
    const over = until.then(() => {
      isOver = true;
    });
    const asked: Promise<number>[] = [];
    while (!isOver) {
      for (const service of services) asked.push(readConnection(service, connected).then(({ status }) => status));
      await Promise.race([over, wait(READ_EVERY_MS * FACTOR)]);
    }
    for (const status of await Promise.all(asked)) expect(status).to.be.oneOf([200, 503]);
  }

  async function expectKept({ provider, connected }: Run): Promise<void> {
    await until('it is renewed', async () => (await storedConnection(installation.db, connected)).generation === 2, 30_000);
    for (const service of [holder, other]) {
      const { status, body } = await readConnection(service, connected);
      expect(status).to.equal(200);
      expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    }
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'healthy', refresh_owner: null });
    expect(provider.ledger.of('token').map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(presentedOnce(provider.ledger.of('token'))).to.deep.equal([]);
  }

  async function expectNoWebhook(): Promise<void> {
    const keys = KeyRing.parse(installation.env.SVC_ENCRYPTION_KEYS);
    expect(await storedWebhooks({ db: installation.db, keys })).to.deep.equal([]);
  }
});
