import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { IncomingWebhook, PublicKeyJwtRule, SharedSecretJwtRule } from '#contract';
import { KeySets } from '../../../../core/catalogue/webhooks/key-sets.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { canary } from '../../../support/canaries.ts';
import { serve } from '../../../support/loopback-server.ts';
import { forgedTokens } from '../../../support/signed-webhooks/forged-tokens.ts';
import {
  byRsa,
  CLAIMS,
  DAY_SECONDS,
  ec,
  ed,
  ISSUER,
  jwk,
  KEYS,
  NOW,
  otherRsa,
  rsaToken,
  SECONDS,
} from '../../../support/signed-webhooks/provider-keys.ts';
import { SIGNERS, type TokenPart, token } from '../../../support/signed-webhooks/tokens.ts';
import {
  INVALID,
  incoming,
  integrationWith,
  type Verification,
  verifyDelivery,
} from '../../../support/signed-webhooks/verification.ts';
import { use } from '../../../support/use.ts';

const URL_WITH_QUERY = `${incoming().url}?topic=a&n=1`;

const read = ({ headers }: IncomingWebhook) => headers['authorization']?.replace(/^Bearer /, '');
describe("WHK-07: a webhook signed with a provider's key", function () {
  const asked: string[] = [];
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  const keySets = new KeySets({ outbound, log: createLogger({ level: 'silent' }) });
  const server = use(this, () =>
    serve((request, response) => {
      asked.push(String(request.url));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: KEYS }));
    }),
  );

  const rule = (): PublicKeyJwtRule => ({
    scheme: 'jwt',
    read,
    jwksUrl: `${server.url}/jwks`,
    issuer: ISSUER,
    audience: 'webhookUrl',
  });

  async function verification(
    authorization: string | undefined,
    parts: Partial<PublicKeyJwtRule & { url: string }> = {},
  ): Promise<Verification> {
    const { url = incoming().url, ...more } = parts;
    const webhook = incoming({ url, headers: authorization === undefined ? {} : { authorization } });
    const delivery = { webhook, integration: [integrationWith({})] as const };
    return (await verifyDelivery([{ ...rule(), ...more }], delivery, { clock: { now: () => NOW }, keySets })).verification;
  }

  const HONEST: Readonly<Record<string, string>> = {
    RS256: rsaToken(),
    ES256: token({ alg: 'ES256', kid: 'ec' }, CLAIMS, SIGNERS.es256(ec.privateKey)),
    EdDSA: token({ alg: 'EdDSA', kid: 'ed' }, CLAIMS, SIGNERS.ed25519(ed.privateKey)),
    'no kid, where only one key fits': token({ alg: 'ES256' }, CLAIMS, SIGNERS.es256(ec.privateKey)),
    'several audiences': rsaToken({ aud: ['https://other.example', CLAIMS.aud] }),
    'an end within the skew of clocks': rsaToken({ exp: SECONDS - 59 }),
    'an end in a day': rsaToken({ exp: SECONDS + DAY_SECONDS }),
    'a beginning': rsaToken({ nbf: SECONDS, jti: 'one', email: 'push@provider.example' }),
  };
  for (const [name, good] of Object.entries(HONEST)) {
    it(`is verified: ${name}`, async () => expect(await verification(`Bearer ${good}`)).to.equal('verified'));
  }

  it('may name as audience the URL with or without its query, or the value in the rule', async () => {
    for (const aud of [URL_WITH_QUERY, CLAIMS.aud])
      expect(await verification(rsaToken({ aud }), { url: URL_WITH_QUERY }), aud).to.equal('verified');
    expect(await verification(rsaToken({ aud: `${CLAIMS.aud}?topic=b` }), { url: URL_WITH_QUERY })).to.equal(INVALID);
    expect(await verification(rsaToken({ aud: 'app' }), { audience: { value: 'app' } })).to.equal('verified');
    expect(await verification(rsaToken(), { audience: { value: 'app' } })).to.equal(INVALID);
  });

  it('is reported as missing when there is no token', async () => {
    for (const none of [undefined, '', 'Bearer ']) expect(await verification(none)).to.equal('webhook_missing_signature');
  });

  it('is refused in every forged form, and the forger’s keys are not fetched', async () => {
    await using forger = await serve((_, response) =>
      response.end(JSON.stringify({ keys: [jwk(otherRsa.publicKey, { kid: 'own' })] })),
    );
    let askedForger = 0;
    forger.server.on('connection', () => (askedForger += 1));
    const attacks = Object.entries(forgedTokens(forger.url));
    const verifications = await Promise.all(
      attacks.map(async ([name, bad]) => [name, await verification(`Bearer ${bad}`)] as const),
    );
    expect(verifications.filter(([, verification]) => verification !== INVALID)).to.deep.equal([]);
    expect(attacks.length).to.be.at.least(25);
    expect(askedForger).to.equal(0);
    expect(new Set(asked)).to.deep.equal(new Set(['/jwks']));
  });
});

describe('WHK-07: a webhook signed with a shared secret, as a token', () => {
  const clientSecret = canary('client secret');
  const rule: SharedSecretJwtRule = { scheme: 'jwt', algorithm: 'HS256', read, secret: { in: 'clientSecret' } };
  const claims = { iss: 'tracker', iat: SECONDS, exp: SECONDS + 180 };
  const of = (header: TokenPart = {}, more: TokenPart = {}, key: string | Buffer = clientSecret) =>
    token({ alg: 'HS256', ...header }, { ...claims, ...more }, SIGNERS.hs256(key));

  async function verification(authorization: string, secret: string | undefined = clientSecret): Promise<Verification> {
    const delivery = {
      webhook: incoming({ headers: { authorization } }),
      integration: [integrationWith({ clientSecret: secret })] as const,
    };
    return (await verifyDelivery([rule], delivery, { clock: { now: () => NOW } })).verification;
  }

  it('is verified', async () => {
    expect(await verification(of())).to.equal('verified');
    expect(await verification(of({ typ: 'JWT', kid: 'whatever' }))).to.equal('verified');
  });

  it('is verified by a secret that looks like a public key, which is used as plain bytes', async () => {
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(await verification(of({}, {}, pem), pem)).to.equal('verified');
    expect(await verification(of({}, {}, clientSecret), pem)).to.equal(INVALID);
  });

  it('is verified for a day after it was issued when it states no expiry', async () => {
    const issued = (iat: number) => token({ alg: 'HS256' }, { iss: 'tracker', iat }, SIGNERS.hs256(clientSecret));
    for (const ago of [0, DAY_SECONDS]) expect(await verification(issued(SECONDS - ago)), String(ago)).to.equal('verified');
    expect(await verification(issued(SECONDS - DAY_SECONDS - 61))).to.equal(INVALID);
  });

  it('is refused if there is no secret, with any signature', async () => {
    for (const none of ['', undefined])
      for (const bad of [of(), of({}, {}, ''), token({ alg: 'none' }, claims, SIGNERS.none())]) {
        const delivery = {
          webhook: incoming({ headers: { authorization: bad } }),
          integration: [integrationWith({ clientSecret: none })] as const,
        };
        expect((await verifyDelivery([rule], delivery, { clock: { now: () => NOW } })).verification).to.equal(INVALID);
      }
  });

  const FORGED: Readonly<Record<string, string>> = {
    'has the algorithm none': token({ alg: 'none' }, claims, SIGNERS.none()),
    'has the algorithm none, and the right signature': of({ alg: 'none' }),
    'is RS256': token({ alg: 'RS256' }, claims, byRsa),
    'is HS512 by name': of({ alg: 'HS512' }),
    'is hs256 in small letters': of({ alg: 'hs256' }),
    'is of another secret': of({}, {}, canary('client secret of another')),
    'is of an empty secret': of({}, {}, ''),
    'is of the secret in base64': of({}, {}, Buffer.from(clientSecret).toString('base64')),
    'brings a key': of({ jwk: { kty: 'oct', k: 'YQ' } }, {}, 'a'),
    'brings the address of keys': of({ jku: 'https://evil.example/keys' }),
    'has a critical member': of({ crit: ['exp'] }),
    'has expired': of({}, { exp: SECONDS - 61 }),
    'was issued at a text': of({}, { iat: String(SECONDS) }),
    'says neither when it was issued nor when it ends': token({ alg: 'HS256' }, { iss: 'tracker' }, SIGNERS.hs256(clientSecret)),
    'expires in the far future': of({}, { exp: SECONDS + DAY_SECONDS + 61 }),
    'is from the far future': of({}, { iat: SECONDS + 3600 }),
    'is not valid yet': of({}, { nbf: SECONDS + 3600 }),
    'is there twice': `${of()}, ${of()}`,
    'is the secret': clientSecret,
  };
  for (const [name, bad] of Object.entries(FORGED)) {
    it(`is refused when it ${name}`, async () => expect(await verification(bad)).to.equal(INVALID));
  }
});
