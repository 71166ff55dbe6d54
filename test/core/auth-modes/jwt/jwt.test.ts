import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt, jwtVerify } from 'jose';
import type { JsonObject, ProviderDefinition, SignedJwtTemplate } from '#contract';
import { type ModeInput, TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { jwt } from '../../../../core/auth-modes/jwt/index.ts';
import type { StoredJwt } from '../../../../core/auth-modes/jwt/stored.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { sweep } from '../../../support/canaries.ts';
import { hexSecret, PAIRS, pemOf } from '../../../support/signing-keys.ts';
import { tlsIdentity } from '../../../support/tls-identity.ts';
import { use } from '../../../support/use.ts';
import { modeInput, NOW } from '../building-blocks/token-endpoint/mode-input.ts';

const MINUTE_MS = 60_000;
const SECONDS = NOW.getTime() / 1000;
const TIMES = { iat: SECONDS - 60, exp: SECONDS + 540 };
const PEM = pemOf(PAIRS.rsa);
const SECRET = hexSecret();

const TOKEN: SignedJwtTemplate = {
  signing_key: '${credentials.privateKey}',
  expires_in_ms: 10 * MINUTE_MS,
  header: { alg: 'RS256', kid: '${credentials.privateKeyId}' },
  payload: { iss: '${credentials.issuerId}' },
};
const KEY = { privateKey: PEM, privateKeyId: 'key-1', issuerId: 'issuer-1' };

describe('a token that is signed with a key of the user’s', function () {
  const outbound = use(this, () => createOutbound({ allow: [] }));
  const deps = (now = NOW) => ({
    outbound: { ...outbound, call: () => Promise.reject(new Error('signing needs no call')) },
    now: () => now,
  });

  function inputOf(
    token: Partial<SignedJwtTemplate>,
    definition: Partial<ProviderDefinition> = {},
    changes: Partial<ModeInput> = {},
  ) {
    return modeInput({ auth_mode: 'JWT', token: { ...TOKEN, ...token }, ...definition }, changes);
  }

  function stored(fields: JsonObject): StoredJwt {
    const { form } = jwt;
    if (form === undefined) throw new Error('it is entered in a form');
    return {
      ...(form.store(form.members.parse(fields)) as Omit<StoredJwt, 'receivedAt'>),
      receivedAt: '2026-01-01T00:00:00.000Z',
    };
  }

  async function prepared(input: ModeInput, fields: JsonObject = KEY): Promise<StoredJwt & { token: string }> {
    const result = await jwt.prepare?.(deps(), input, stored(fields));
    if (result?.token === undefined) throw new Error('there is no token');
    return { ...result, token: result.token };
  }

  function refusal(input: ModeInput, fields: JsonObject) {
    try {
      jwt.form?.check?.(fields, input);
    } catch (error) {
      return error;
    }
    throw new Error('it was not refused');
  }

  it('has the header and the claims of the definition, and times by the clock of the database', async () => {
    const { token, ...others } = await prepared(inputOf({}));
    const { payload, protectedHeader } = await jwtVerify(token, PAIRS.rsa.publicKey, { currentDate: NOW, algorithms: ['RS256'] });
    expect(protectedHeader).to.deep.equal({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(payload).to.deep.equal({ iss: 'issuer-1', ...TIMES });
    expect(others).to.deep.equal({
      type: 'JWT',
      ...KEY,
      expiresAt: new Date(TIMES.exp * 1000).toISOString(),
      receivedAt: NOW.toISOString(),
    });
  });

  it('has typed claims: lists, numbers, objects, and none for a value that was left out', async () => {
    const payload = {
      aud: ['a', '${connectionConfig.site}'],
      level: 3,
      on: false,
      context: { tenant: '${integrationConfig.tenant}', deep: [{ none: null }] },
      sub: { omit_if_empty: '${credentials.subject}' },
      scope: '${scopes}',
    };
    const site = { connectionConfig: { site: 'acme' }, integrationConfig: { tenant: 't1' } };
    const filled = { aud: ['a', 'acme'], level: 3, on: false, context: { tenant: 't1', deep: [{ none: null }] }, ...TIMES };
    const without = await prepared(inputOf({ payload }, {}, site));
    expect(decodeJwt(without.token)).to.deep.equal({ ...filled, scope: 'read write' });

    const client = { clientId: '', clientSecret: '', scopes: [] };
    const subject = await prepared(inputOf({ payload }, { default_scopes: ['a', 'b'] }, { ...site, client }), {
      ...KEY,
      subject: 'ada',
    });
    expect(decodeJwt(subject.token)).to.deep.equal({ ...filled, sub: 'ada', scope: 'a b' });
  });

  it('names its key by the fingerprint of the public key', async () => {
    const { token } = await prepared(inputOf({ payload: { iss: 'a.b.${credentials.publicKeyFingerprint}' } }));
    expect(decodeJwt(token).iss).to.match(/^a\.b\.SHA256:[A-Za-z0-9+/]{43}=$/);
  });

  it('names the certificate of its key, where there is one', async () => {
    const definition = inputOf({ certificate: '${credentials.certificate}', header: { alg: 'ES256' } });
    const withOne = await prepared(definition, {
      ...KEY,
      privateKey: tlsIdentity.key,
      certificate: tlsIdentity.cert.replaceAll('\n', ' '),
    });
    const header = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    expect(header(withOne.token)).to.have.all.keys('alg', 'typ', 'x5t#S256');
    const without = await prepared(definition, { ...KEY, privateKey: tlsIdentity.key });
    expect(header(without.token)).to.deep.equal({ alg: 'ES256', typ: 'JWT' });
  });

  for (const [what, privateKey] of [
    ['one text', `64f1:${SECRET}`],
    ['two parts', { id: '64f1', secret: SECRET }],
  ] as const) {
    it(`is signed with a secret that was entered with its ID as ${what}`, async () => {
      const token = {
        signing_key: '${credentials.privateKey.secret}',
        signing_key_encoding: 'hex' as const,
        header: { alg: 'HS256' as const, kid: '${credentials.privateKey.id}' },
        payload: { aud: '/admin/' },
      };
      const result = await prepared(inputOf(token), { privateKey });
      const key = createSecretKey(Buffer.from(SECRET, 'hex'));
      const { payload, protectedHeader } = await jwtVerify(result.token, key, { currentDate: NOW, audience: '/admin/' });
      expect(protectedHeader).to.deep.equal({ alg: 'HS256', typ: 'JWT', kid: '64f1' });
      expect(payload).to.deep.equal({ aud: '/admin/', ...TIMES });
      expect(jwt.present(result, { withRefreshToken: false })).to.deep.include({ privateKey: { id: '64f1', secret: SECRET } });
    });
  }

  it('uses the defaults of the definition’s form, and keeps them', async () => {
    const credentials = {
      issuerId: { type: 'string', title: 'Issuer', default_value: 'default-issuer' },
      role: { type: 'string', title: 'Role', default_value: 'reader' },
    } as const;
    const result = await prepared(
      inputOf({ payload: { iss: '${credentials.issuerId}', role: '${credentials.role}' } }, { credentials }),
      {
        privateKey: PEM,
        privateKeyId: 'key-1',
      },
    );
    expect(decodeJwt(result.token)).to.include({ iss: 'default-issuer', role: 'reader' });
    expect(result).to.deep.include({ issuerId: 'default-issuer', otherFields: { role: 'reader' } });
  });

  it('is refreshed before it ends, without a call, and with the same key', async () => {
    const first = await prepared(inputOf({}), { ...KEY, other: 'kept' });
    const later = new Date(NOW.getTime() + 9 * MINUTE_MS);
    const renewed = await jwt.refresh?.(deps(later), inputOf({}), first);
    expect(renewed).to.deep.equal({
      ...first,
      token: renewed?.token,
      expiresAt: new Date(later.getTime() + 9 * MINUTE_MS).toISOString(),
      receivedAt: later.toISOString(),
    });
    await jwtVerify(renewed?.token ?? '', PAIRS.rsa.publicKey, { currentDate: later });
    expect(renewed?.token).to.not.equal(first.token);
  });

  it('fails to refresh only temporarily while the definition does not fit the key', async () => {
    const first = await prepared(inputOf({}));
    for (const input of [
      inputOf({ header: { alg: 'ES256' } }),
      inputOf({ payload: { iss: '${integrationConfig.gone}' } }),
      inputOf({}, { token: undefined }),
    ]) {
      const failure: unknown = await jwt.refresh?.(deps(), input, first).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'transient', status: 0 });
      expect(sweep({ failure: failure instanceof Error ? `${failure.message} ${failure.stack}` : '' })).to.deep.equal([]);
    }
  });

  it('is sent with each request, and templates can use it and the entered fields, but not the key', async () => {
    const result = await prepared(inputOf({}), { ...KEY, account: 'acme' });
    expect(jwt.sign?.(result, inputOf({}))).to.deep.equal({ authorization: `Bearer ${result.token}` });
    expect(jwt.templateValues(result)).to.deep.equal({
      accessToken: result.token,
      'credentials.token': result.token,
      'credentials.account': 'acme',
      'credentials.privateKeyId': 'key-1',
      'credentials.issuerId': 'issuer-1',
    });
  });

  it('never reads an entered value as a template, or a field name as a member of the prototype', async () => {
    const payload = { iss: '${credentials.account}', sub: { omit_if_empty: '${credentials.constructor}' } };
    const { token } = await prepared(inputOf({ payload }), { ...KEY, account: '${credentials.privateKey} base64(${scopes})' });
    expect(decodeJwt(token)).to.deep.equal({ iss: '${credentials.privateKey} base64(${scopes})', ...TIMES });
    expect(refusal(inputOf({ payload: { iss: '${credentials.toString}' } }), KEY)).to.include({ code: 'invalid_body' });
    const fields = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    const own = await prepared(inputOf({ payload: { iss: '${credentials.constructor}' } }), {
      ...KEY,
      ...fields,
      hasOwnProperty: 'z',
    });
    expect(decodeJwt(own.token).iss).to.equal('y');
  });

  const REFUSED: readonly (readonly [
    what: string,
    token: Partial<SignedJwtTemplate>,
    fields: JsonObject,
    path: string,
    message: string,
  ])[] = [
    [
      'no key',
      {},
      { ...KEY, privateKey: 'x' },
      'privateKey',
      'Private key cannot be used: it is not a PEM, which begins with "-----BEGIN"',
    ],
    [
      'a key of another kind',
      { header: { alg: 'ES256' } },
      KEY,
      'privateKey',
      'Private key cannot be used: ES256 needs an EC key on the curve P-256',
    ],
    [
      'a key that has no ID',
      { signing_key: '${credentials.privateKey.secret}' },
      KEY,
      'privateKey',
      'Private key cannot be used: it does not have the form id:secret',
    ],
    [
      'a key in two parts',
      {},
      { ...KEY, privateKey: { id: 'x', secret: PEM } },
      'privateKey',
      'Private key cannot be used: it has two parts, but this provider issues it as one text',
    ],
    [
      'a missing value',
      {},
      { privateKey: PEM, privateKeyId: 'x' },
      'issuerId',
      'the token cannot be signed: there is no value for ${credentials.issuerId}',
    ],
    [
      'a line break',
      {},
      { ...KEY, issuerId: 'a\nb' },
      'issuerId',
      'the token cannot be signed: the value of ${credentials.issuerId} is not allowed there',
    ],
    [
      'a line break in a secret',
      { header: { alg: 'HS256' } },
      { ...KEY, privateKey: `${SECRET}\n` },
      'privateKey',
      'the token cannot be signed: the value of ${credentials.privateKey} is not allowed there',
    ],
  ];
  for (const [what, token, fields, path, message] of REFUSED) {
    it(`is refused before anything begins: ${what}`, () => {
      const error = refusal(inputOf(token), fields);
      expect(error).to.deep.include({
        code: 'invalid_body',
        message,
        details: [{ code: 'invalid_format', message, path: [path] }],
      });
      expect(sweep({ error: error instanceof Error ? `${error.message} ${error.stack} ${error.cause}` : '' })).to.deep.equal([]);
    });
  }
});
