import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { mustBe } from '../support/connect.ts';
import { freePort } from '../support/free-port.ts';
import { OtlpCollector } from '../support/otlp-collector.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const WARNING = 'traces could not be exported';
const PROMPTLY = { OTEL_BSP_SCHEDULE_DELAY: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' };
/** The shutdown waits two seconds for the collector. */
const STOP_MS = 4_000;

const warningsOf = (app: TestApp) => app.logLines.map((line) => JSON.parse(line)).filter(({ message }) => message === WARNING);

/** Asserts that the service responds, and stops in time, with only one warning about spans that were lost. */
async function goesOn(app: TestApp, reason: RegExp): Promise<void> {
  for (let call = 0; call < 5; call += 1) mustBe(200, await app.api.get('/connections'));
  await until('it warns', () => warningsOf(app).length > 0);
  for (let call = 0; call < 5; call += 1) mustBe(200, await app.api.get('/connections'));
  const begunAt = performance.now();
  await app[Symbol.asyncDispose]();
  expect(performance.now() - begunAt).to.be.below(STOP_MS);
  const [warning, ...more] = warningsOf(app);
  expect(more).to.deep.equal([]);
  expect(warning).to.include({ level: 'warn' });
  expect(warning.reason).to.match(reason);
  expect(warning.lostSpans).to.be.above(0);
}

describe('a collector', function () {
  const collector = use(this, () => OtlpCollector.start());

  it('that is away costs one warning', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await goesOn(await startApp({ env: { ...PROMPTLY, OTEL_EXPORTER_OTLP_ENDPOINT: url } }), /^unreachable$/);
  });

  for (const status of [500, 400, 302]) {
    it(`that responds with ${status} costs one warning, without what it says`, async () => {
      collector.behaviour = status;
      const before = collector.requests.length;
      await goesOn(await startApp({ env: { ...collector.env, ...PROMPTLY } }), new RegExp(`^status ${status}$`));
      expect(collector.requests.length).to.be.above(before);
    });
  }

  it('that never responds holds up nothing', async () => {
    collector.behaviour = 'hang';
    const app = await startApp({ env: { ...collector.env, ...PROMPTLY } });
    const before = collector.requests.length;
    for (let call = 0; call < 5; call += 1) mustBe(200, await app.api.get('/connections'));
    await until('it hangs', () => collector.requests.length > before);
    const begunAt = performance.now();
    await app[Symbol.asyncDispose]();
    expect(performance.now() - begunAt).to.be.below(STOP_MS);
  });

  it('is called although it is private, and by nothing but the exporter', async () => {
    collector.behaviour = 'take';
    const before = collector.requests.length;
    const app = await startApp({
      env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path?x=1`, SVC_OUTBOUND_ALLOW: '' },
    });
    mustBe(200, await app.api.get('/connections'));
    expect(() => app.services.outbound.check(new URL(collector.url))).to.throw('the address is not allowed');
    // The stop exports what has not been exported yet.
    await app[Symbol.asyncDispose]();
    const received = collector.requests.slice(before);
    expect(received.map(({ url }) => url)).to.deep.equal(['/own/path?x=1']);
    expect(received[0]?.headers['content-type']).to.equal('application/x-protobuf');
  });

  it('gets the share of traces that the sampler chooses', async () => {
    const before = collector.spans.length;
    const never = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const app = await startApp({ env: { ...collector.env, ...never } });
    mustBe(200, await app.api.get('/connections'));
    await app[Symbol.asyncDispose]();
    expect(collector.spans.length).to.equal(before);
  });
});
