import { expect } from 'chai';
import { presentedOnce } from '../support/checker.ts';
import { type Connected, connect, readConnection, type Service } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { isLong, size } from '../support/size.ts';
import { useEach } from '../support/use.ts';

const READERS = 200;
const LATENCY_MS = 100;
/**
 * How much longer the 99th percentile of the durations of simultaneous reads may be when they wait for a refresh than when they
 * do not.
 */
const ADDED_P99_MS = LATENCY_MS + 500;
const TOKEN_LIFETIME_SECONDS = 3600;

/** What the readers got after the token had expired once. */
interface Expiry {
  readonly statuses: ReadonlySet<number>;
  readonly tokens: ReadonlySet<string>;
  readonly durationsMs: readonly number[];
}

describe('one token request per expiry (REF-01)', function () {
  this.timeout(size(60_000, 300_000));
  const installation = useEach(this, () => Installation.open());
  const provider = useEach(this, () => startFakeProvider({ rotation: 'strict', accessTokenTtlSeconds: TOKEN_LIFETIME_SECONDS }));

  for (const count of [2, 4]) {
    it(`holds for ${count} instances`, async () => {
      const instances = await Promise.all(Array.from({ length: count }, () => installation.startApp()));
      await expireRepeatedly(instances, size(4, 50));
    });
  }

  it('holds for 2 processes', async () => {
    const instances = await Promise.all([installation.startProcess(), installation.startProcess()]);
    await expireRepeatedly(instances, size(3, 50));
  });

  async function expireRepeatedly(instances: readonly Service[], times: number): Promise<void> {
    const [first] = instances;
    if (first === undefined) throw new Error('no instance was started');
    const connected = await connect(first, provider);
    provider.always('token', { delayMs: LATENCY_MS });
    const ordinaryMs: number[] = [];
    const waitingMs: number[] = [];
    for (let time = 1; time <= times; time += 1) {
      if (isLong) ordinaryMs.push(...(await readEverywhere(instances, connected)).durationsMs);
      await installation.advance(TOKEN_LIFETIME_SECONDS + 1);
      const seen = await readEverywhere(instances, connected);
      expect([...seen.statuses]).to.deep.equal([200]);
      expect(seen.tokens).to.have.lengthOf(1);
      expect([...seen.tokens].every((token) => provider.grants.isLive(token))).to.equal(true);
      expect(provider.ledger.of('token')).to.have.lengthOf(1 + time);
      waitingMs.push(...seen.durationsMs);
    }
    expect(provider.ledger.of('token').map(({ status }) => status)).to.deep.equal(Array(1 + times).fill(200));
    expect(presentedOnce(provider.ledger.of('token'))).to.deep.equal([]);
    if (isLong) expect(percentile(waitingMs, 0.99) - percentile(ordinaryMs, 0.99)).to.be.below(ADDED_P99_MS);
  }
});

/** Sends all reads at the same time, an equal share of them to each instance. */
async function readEverywhere(instances: readonly Service[], connected: Connected): Promise<Expiry> {
  const perInstance = READERS / instances.length;
  const readers = instances.flatMap((instance) => Array.from({ length: perInstance }, () => instance));
  const reads = await Promise.all(readers.map((instance) => timedRead(instance, connected)));
  return {
    statuses: new Set(reads.map(({ status }) => status)),
    tokens: new Set(reads.map(({ token }) => token)),
    durationsMs: reads.map(({ durationMs }) => durationMs),
  };
}

async function timedRead(instance: Service, connected: Connected) {
  const begun = performance.now();
  const { status, body } = await readConnection(instance, connected);
  return { status, token: String(body.credentials?.access_token), durationMs: performance.now() - begun };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}
