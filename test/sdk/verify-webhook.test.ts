import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { verifyWebhook, verifyWebhookHmac } from '../../sdk/node/src/svc.ts';

/** A fixed random key in hex. The secret has the same key in base64, after `whsec_`. */
const KEY = '8f3a1c5be2d94706a1b2c3d4e5f60718293a4b5c6d7e8f90';
const SECRET = `whsec_${Buffer.from(KEY, 'hex').toString('base64')}`;
const OTHER_KEY = '00112233445566778899aabbccddeeff0011223344556677';
const BODY = '{"type":"auth","operation":"creation","connectionId":"ü"}';
const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';

/** Signs with openssl, so that client and test cannot be wrong in the same way. */
function openssl(key: string, text: string): Buffer {
  return execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'], { input: text });
}

function signed({ key = KEY, id = ID, age = 0, body = BODY } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const signature = `v1,${openssl(key, `${id}.${timestamp}.${body}`).toString('base64')}`;
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

describe('verifyWebhook', () => {
  const old = signed({ key: OTHER_KEY })['webhook-signature'];

  const accepted: Readonly<Record<string, () => boolean>> = {
    'what openssl signed': () => verifyWebhook(BODY, signed(), SECRET),
    bytes: () => verifyWebhook(new TextEncoder().encode(BODY), signed(), SECRET),
    'headers of fetch': () => verifyWebhook(BODY, new Headers(signed()), SECRET),
    'headers in capitals': () => verifyWebhook(BODY, upperCase(signed()), SECRET),
    'a secret without its prefix': () => verifyWebhook(BODY, signed(), SECRET.slice('whsec_'.length)),
    'one right signature of several': () =>
      verifyWebhook(
        BODY,
        withSignatures((own) => `${old} v1a,AAAA ${own}`),
        SECRET,
      ),
    'an age just below five minutes': () => verifyWebhook(BODY, signed({ age: 298 }), SECRET),
    'a clock just below five minutes ahead': () => verifyWebhook(BODY, signed({ age: -298 }), SECRET),
  };
  for (const [name, verify] of Object.entries(accepted)) it(`accepts ${name}`, () => expect(verify()).to.equal(true));

  const refused: Readonly<Record<string, () => boolean>> = {
    'another body': () => verifyWebhook(`${BODY} `, signed(), SECRET),
    'another ID': () => verifyWebhook(BODY, { ...signed(), 'webhook-id': 'msg_other' }, SECRET),
    'another time': () =>
      verifyWebhook(BODY, { ...signed({ age: 10 }), 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }, SECRET),
    'another key': () => verifyWebhook(BODY, signed({ key: OTHER_KEY }), SECRET),
    'an age of more than five minutes': () => verifyWebhook(BODY, signed({ age: 302 }), SECRET),
    'a time more than five minutes ahead': () => verifyWebhook(BODY, signed({ age: -302 }), SECRET),
    'a time that is no number': () => verifyWebhook(BODY, { ...signed(), 'webhook-timestamp': 'now' }, SECRET),
    'no signature': () => verifyWebhook(BODY, { ...signed(), 'webhook-signature': undefined }, SECRET),
    'no ID': () => verifyWebhook(BODY, { ...signed(), 'webhook-id': undefined }, SECRET),
    'a signature of another version': () =>
      verifyWebhook(
        BODY,
        withSignatures((own) => own.replace('v1,', 'v2,')),
        SECRET,
      ),
    'a signature without version': () =>
      verifyWebhook(
        BODY,
        withSignatures((own) => own.slice('v1,'.length)),
        SECRET,
      ),
    'a beginning of the signature': () =>
      verifyWebhook(
        BODY,
        withSignatures((own) => own.slice(0, -1)),
        SECRET,
      ),
    'headers that are there twice': () => verifyWebhook(BODY, { ...signed(), 'webhook-id': [ID, ID] }, SECRET),
    'an empty secret': () => verifyWebhook(BODY, signed(), ''),
    'nothing at all': () => verifyWebhook('', {}, SECRET),
  };
  for (const [name, verify] of Object.entries(refused)) it(`refuses ${name}`, () => expect(verify()).to.equal(false));
});

describe('verifyWebhookHmac', () => {
  const signature = openssl(Buffer.from(SECRET).toString('hex'), BODY).toString('hex');

  it('accepts what openssl signed with the whole secret', () => {
    expect(verifyWebhookHmac(BODY, { 'X-Svc-Hmac-Sha256': signature }, SECRET)).to.equal(true);
    expect(verifyWebhookHmac(Buffer.from(BODY), new Headers({ 'x-svc-hmac-sha256': signature }), SECRET)).to.equal(true);
  });

  it('refuses everything else', () => {
    expect(verifyWebhookHmac(`${BODY} `, { 'x-svc-hmac-sha256': signature }, SECRET)).to.equal(false);
    expect(verifyWebhookHmac(BODY, { 'x-svc-hmac-sha256': signature.slice(1) }, SECRET)).to.equal(false);
    expect(verifyWebhookHmac(BODY, { 'x-svc-hmac-sha256': signature }, `${SECRET}x`)).to.equal(false);
    expect(verifyWebhookHmac(BODY, {}, SECRET)).to.equal(false);
    expect(verifyWebhookHmac(BODY, { 'x-svc-hmac-sha256': openssl('00', BODY).toString('hex') }, '')).to.equal(false);
  });
});

function upperCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

function withSignatures(change: (own: string) => string): Record<string, string> {
  const headers = signed();
  return { ...headers, 'webhook-signature': change(headers['webhook-signature']) };
}
