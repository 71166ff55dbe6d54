import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { type Connected, connect, readConnection } from '../support/connect.ts';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation, type RealService } from '../support/installation.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { isLong } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { RESPONSES_WITHOUT_TOKEN } from '../support/token-responses.ts';
import { use } from '../support/use.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** The age at which a token that lives an hour is due for a refresh, ten minutes before its expiry. */
const NEARLY_EXPIRED_SECONDS = 3000;
const EXPIRED_SECONDS = 1200;
const MAX_RISE_KB = 20 * 1024;

describe('a token response without a token (REF-05)', function () {
  const setup = use(this, () => ConnectedInstallation.open());

  it('is tested in forty forms', () => expect(RESPONSES_WITHOUT_TOKEN).to.have.lengthOf(40));

  for (const [form, body, headers = JSON_TYPE] of RESPONSES_WITHOUT_TOKEN) {
    // A response that names an error counts as an error of the provider; any other is not a token response at all.
    const cause = form.startsWith('an error') ? 'provider_unavailable' : 'malformed_answer';
    it(`changes nothing that is stored: ${form}`, () => meet({ response: { status: 200, headers, body } }, cause));
  }

  it('changes nothing that is stored, and is not read forever: a body without an end', () =>
    meet(
      { response: { status: 200, headers: JSON_TYPE, body: '{"access_token":"abc","x":' }, delivery: 'endless' },
      'malformed_answer',
    ));

  /** Lets the provider send the same response while the stored token works and after it has expired, and then a valid one. */
  async function meet(response: Behaviour, cause: string): Promise<void> {
    const callsBefore = setup.provider.ledger.of('token').length;
    const stored = await setup.stored();
    const { credentials } = (await setup.read()).body;
    setup.provider.next('token', response, response);

    await setup.advance(NEARLY_EXPIRED_SECONDS);
    const served = await setup.read();
    expect(served.status).to.equal(200);
    expect(served.body.credentials).to.deep.equal(credentials);
    await expectUntouched(stored.credentials, cause);

    await setup.advance(EXPIRED_SECONDS);
    const refused = await setup.read();
    expect(refused).to.have.property('status', 503);
    expect(refused.body.error.code).to.equal('provider_unavailable');
    expect(Number(refused.headers.get('retry-after'))).to.be.at.least(1);
    await expectUntouched(stored.credentials, cause);
    expect(setup.provider.ledger.of('token')).to.have.lengthOf(callsBefore + 2);

    await setup.advance(EXPIRED_SECONDS);
    const renewed = await setup.read();
    expect(renewed.status).to.equal(200);
    expect(setup.provider.grants.isLive(renewed.body.credentials.access_token)).to.equal(true);
    expect(await setup.stored()).to.include({ state: 'healthy', state_cause: null });
  }

  async function expectUntouched(credentials: Buffer, cause: string): Promise<void> {
    const row = await setup.stored();
    expect(row.credentials.equals(credentials), 'the credentials as they were, byte for byte').to.equal(true);
    expect(row).to.include({ state: 'degraded', state_cause: cause, refresh_owner: null, refresh_until: null });
  }
});

describe('the memory of a service', function () {
  this.timeout(120_000);

  it('does not grow with the responses it refuses', async function () {
    if (!isLong) skipBecause(this, 'sends thousands of responses; TEST_SIZE=long');
    await using installation = await Installation.open();
    await using provider = await startFakeProvider();
    const service = await installation.startProcess();
    const connected = await connect(service, provider);
    await refuseAll(service, provider, connected);
    const before = await residentKb(service);
    await refuseAll(service, provider, connected);
    expect((await residentKb(service)) - before).to.be.below(MAX_RISE_KB);
  });
});

async function refuseAll(service: RealService, provider: FakeProvider, connected: Connected): Promise<void> {
  for (const [, body, headers = JSON_TYPE] of RESPONSES_WITHOUT_TOKEN) {
    provider.next('token', { response: { status: 200, headers, body } });
    const { status } = await readConnection(service, connected, '&force_refresh=true');
    expect(status).to.equal(200);
  }
}

/** Returns the resident memory of a service's process in kB, on Linux (proc_pid_status(5)). */
async function residentKb({ process }: RealService): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}
