import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { type Connected, connect, connectAgain, readConnection, type Service } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { LIFETIMES } from '../support/token-responses.ts';
import { use } from '../support/use.ts';

const OVER_SECONDS = 7200;
const READS = 5;

interface RefreshTokenCase {
  readonly form: string;
  readonly rotation: 'strict' | 'none';
  /** Fields that replace those of the valid token response. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Responses without a new refresh token, after which the provider still accepts the old one (RFC 6749 §6). */
const KEPT: readonly RefreshTokenCase[] = [
  { form: 'none', rotation: 'none', members: { refresh_token: undefined } },
  { form: 'the same', rotation: 'none', members: {} },
  { form: 'an empty one', rotation: 'none', members: { refresh_token: '' } },
  { form: 'null', rotation: 'none', members: { refresh_token: null } },
];
const REPLACED: RefreshTokenCase = { form: 'a new one', rotation: 'strict', members: {} };

describe('a token response (REF-07)', function () {
  const installation = use(this, () => Installation.open());
  const provider = use(this, startFakeProvider);
  let app: Service;
  let connected: Connected;
  /** A connection whose provider has never stated a lifetime. */
  let silent: Connected;

  before(async () => {
    app = await installation.startApp();
    connected = await connect(app, provider);
    provider.next('token', { members: { expires_in: undefined } });
    silent = await connectAgain(app);
  });
  for (const input of [...KEPT, REPLACED]) {
    for (const [form, expiresIn, seconds] of LIFETIMES) {
      it(`with ${input.form} as refresh token and ${form} as lifetime is stored correctly and refreshes again`, async () => {
        const one = seconds === undefined ? silent : connected;
        const before = await readWithRefreshToken(one);
        const after = await renewWith(one, input, expiresIn);
        expect(after.refresh_token === before.refresh_token).to.equal(input !== REPLACED);
        expectLifetime(after.expires_at, seconds);
        await expectStillRenewable(one);
      });
    }
  }

  for (const [form, expiresIn] of LIFETIMES.filter(([, , seconds]) => seconds === undefined)) {
    it(`with ${form} as lifetime gets the lifetime that was stated last`, async () => {
      await renewWith(connected, REPLACED, 1800);
      const { expires_at: expiresAt } = await renewWith(connected, REPLACED, expiresIn);
      expectLifetime(expiresAt, 1800);
    });
  }

  it('with a lifetime too short to keep up with leads to one refresh a minute', async () => {
    provider.always('token', { members: { expires_in: 1 } });
    await expire(connected);
    const callsBefore = tokenCalls();
    for (let second = 0; second < 180; second += 5) {
      expect((await readConnection(app, connected)).status).to.equal(200);
      await installation.advance(5);
    }
    expect(tokenCalls() - callsBefore).to.be.within(2, 3);
  });

  it('is dated by the database when the user authorizes, however wrong the clock of the process is', async () => {
    await using skewed = await startApp();
    await using honest = await startFakeProvider();
    await skewed.clock.advance(OVER_SECONDS * 1000);
    const { status, body } = await readConnection(skewed, await connect(skewed, honest));
    expect(status).to.equal(200);
    expectLifetime(body.credentials.expires_at, 3600);
  });

  /** Lets one refresh get this response, and asserts that further reads need no refresh. */
  async function renewWith(one: Connected, { rotation, members }: RefreshTokenCase, expiresIn: unknown) {
    provider.settings.rotation = rotation;
    provider.next('token', { members: { ...members, expires_in: expiresIn } });
    await expire(one);
    const callsBefore = tokenCalls();
    for (let read = 1; read < READS; read += 1) await readConnection(app, one);
    const credentials = await readWithRefreshToken(one);
    expect(tokenCalls() - callsBefore).to.equal(1);
    return credentials;
  }

  async function readWithRefreshToken(one: Connected) {
    const { status, body } = await readConnection(app, one, '&refresh_token=true');
    expect(status).to.equal(200);
    return body.credentials;
  }

  function expectLifetime(expiresAt: string | undefined, seconds: number | undefined): void {
    const leftSeconds = expiresAt === undefined ? undefined : (Date.parse(expiresAt) - Date.now()) / 1000;
    if (seconds === undefined) expect(leftSeconds).to.equal(undefined);
    else expect(leftSeconds).to.be.within(seconds - 10, seconds + 1);
  }

  /** Asserts that the service has stored the valid refresh token, because the provider refuses any other. */
  async function expectStillRenewable(one: Connected): Promise<void> {
    if (one === silent) provider.next('token', { members: { expires_in: undefined } });
    const { status, body } = await readConnection(app, one, '&force_refresh=true');
    expect(status).to.equal(200);
    expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
  }

  /** Makes the access token expire, whatever lifetime the last response stated. */
  async function expire({ connectionId }: Connected): Promise<void> {
    await installation.advance(OVER_SECONDS);
    await installation
      .db('connections')
      .where({ connection_id: connectionId })
      .update({ expires_at: installation.db.raw(`now() - interval '1 second'`) });
  }

  function tokenCalls(): number {
    return provider.ledger.of('token').length;
  }
});
