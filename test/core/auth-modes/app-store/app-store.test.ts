import { expect } from 'chai';
import { jwtVerify } from 'jose';
import type { ProviderDefinition } from '#contract';
import { appStore, type StoredAppStore } from '../../../../core/auth-modes/app-store/index.ts';
import { TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { PAIRS, pemOf } from '../../../support/signing-keys.ts';
import { use } from '../../../support/use.ts';
import { modeInput, NOW } from '../building-blocks/token-endpoint/mode-input.ts';

const MINUTE_MS = 60_000;
const SECONDS = NOW.getTime() / 1000;
const PEM = pemOf(PAIRS.p256);
const KEY = { privateKey: PEM, privateKeyId: '2X9R4HXF34', issuerId: 'team-1' };

describe('a token that is signed with the key of an app store’s team', function () {
  const outbound = use(this, () => createOutbound({ allow: [] }));
  const deps = (now = NOW) => ({
    outbound: { ...outbound, call: () => Promise.reject(new Error('signing needs no call')) },
    now: () => now,
  });

  function inputOf(definition: Partial<ProviderDefinition> = {}) {
    const token = {
      signing_key: '${credentials.privateKey}',
      expires_in_ms: 20 * MINUTE_MS,
      header: { alg: 'ES256' as const, kid: '${credentials.privateKeyId}' },
      payload: { iss: '${credentials.issuerId}', aud: 'appstoreconnect-v1', scope: ['GET /v1/apps'] },
    };
    return modeInput({ auth_mode: 'APP_STORE', token, ...definition });
  }

  async function prepared(): Promise<StoredAppStore> {
    const { form, prepare } = appStore;
    if (form === undefined || prepare === undefined) throw new Error('it is entered in a form');
    const entered = form.store(form.members.parse({ type: 'APP_STORE', ...KEY })) as Omit<StoredAppStore, 'receivedAt'>;
    return prepare(deps(), inputOf(), { ...entered, receivedAt: '2026-01-01T00:00:00.000Z' });
  }

  it('is signed before the credentials are stored, whose raw is what was entered beside the key', async () => {
    const { accessToken, ...others } = await prepared();
    const { payload, protectedHeader } = await jwtVerify(accessToken, PAIRS.p256.publicKey, { currentDate: NOW });
    expect(protectedHeader).to.deep.equal({ alg: 'ES256', typ: 'JWT', kid: '2X9R4HXF34' });
    const times = { iat: SECONDS - 60, exp: SECONDS + 1_140 };
    expect(payload).to.deep.equal({ iss: 'team-1', aud: 'appstoreconnect-v1', scope: ['GET /v1/apps'], ...times });
    expect(others).to.deep.equal({
      type: 'APP_STORE',
      ...KEY,
      raw: { privateKeyId: '2X9R4HXF34', issuerId: 'team-1' },
      expiresAt: new Date(times.exp * 1000).toISOString(),
      receivedAt: NOW.toISOString(),
    });
  });

  it('is shown, sent and refreshed', async () => {
    const first = await prepared();
    expect(appStore.present(first, { withRefreshToken: false })).to.deep.equal({
      type: 'APP_STORE',
      access_token: first.accessToken,
      private_key: PEM,
      expires_at: first.expiresAt,
      raw: first.raw,
    });
    expect(appStore.sign?.(first, inputOf())).to.deep.equal({ authorization: `Bearer ${first.accessToken}` });
    expect(Object.values(appStore.templateValues(first))).to.not.include(PEM);

    const later = new Date(NOW.getTime() + 19 * MINUTE_MS);
    const renewed = await appStore.refresh?.(deps(later), inputOf(), first);
    await jwtVerify(renewed?.accessToken ?? '', PAIRS.p256.publicKey, { currentDate: later });
    expect(renewed).to.deep.equal({
      ...first,
      accessToken: renewed?.accessToken,
      expiresAt: new Date(later.getTime() + 19 * MINUTE_MS).toISOString(),
      receivedAt: later.toISOString(),
    });
  });

  it('fails to refresh only temporarily while the definition does not say what to sign', async () => {
    const first = await prepared();
    const failure: unknown = await appStore
      .refresh?.(deps(), inputOf({ token: undefined }), first)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'transient' });
  });
});
