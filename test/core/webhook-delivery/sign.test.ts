import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../../core/webhook-delivery/attempt.ts';

// The example in the specification of Standard Webhooks and in the tests of its libraries.
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const OLDER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODIES = {
  ascii: '{"a":1}',
  empty: '{}',
  unicode: '{"name":"Zoë 🦉"}',
  large: JSON.stringify({ text: 'x'.repeat(2 ** 20) }),
};

function opensslHmac(body: string, ...keyOptions: string[]): Buffer {
  return execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', ...keyOptions.flatMap((o) => ['-macopt', o]), '-binary'], {
    input: body,
  });
}

function hexKey(secret: string): string {
  return Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
}

describe('signatures of messages', () => {
  const at = () => new Date();
  const only = { current: PUBLISHED.secret, old: null };
  const both = { current: PUBLISHED.secret, old: { secret: OLDER, until: new Date(Date.now() + 86_400_000) } };

  it('match the published example', () => {
    const { id, body, timestamp, signature } = PUBLISHED;
    const headers = signatureHeaders({ id, body, at: new Date(timestamp * 1_000 + 999) }, only);
    expect(headers).to.include({ 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature });
  });

  for (const [what, body] of Object.entries(BODIES)) {
    it(`satisfy standardwebhooks and openssl: ${what}`, () => {
      const headers = signatureHeaders({ id: 'msg_1', at: at(), body }, only);
      expect(() => new Webhook(PUBLISHED.secret).verify(body, headers)).not.to.throw();
      expect(() => new Webhook(PUBLISHED.secret).verify(`${body} `, headers)).to.throw();
      expect(() => new Webhook(OLDER).verify(body, headers)).to.throw();

      const content = `msg_1.${headers['webhook-timestamp']}.${body}`;
      const signature = opensslHmac(content, `hexkey:${hexKey(PUBLISHED.secret)}`).toString('base64');
      expect(headers['webhook-signature']).to.equal(`v1,${signature}`);
      expect(headers['x-svc-hmac-sha256']).to.equal(opensslHmac(body, `key:${PUBLISHED.secret}`).toString('hex'));
    });
  }

  it('use both secrets during a rotation, newest first, and the older secret in the older header', () => {
    const [body, now] = [BODIES.ascii, at()];
    const headers = signatureHeaders({ id: 'msg_1', at: now, body }, both);
    for (const secret of [PUBLISHED.secret, OLDER]) expect(() => new Webhook(secret).verify(body, headers)).not.to.throw();
    const alone = [PUBLISHED.secret, OLDER].map(
      (current) => signatureHeaders({ id: 'msg_1', at: now, body }, { current, old: null })['webhook-signature'],
    );
    expect(headers['webhook-signature']).to.equal(alone.join(' '));
    expect(headers['x-svc-hmac-sha256']).to.equal(opensslHmac(body, `key:${OLDER}`).toString('hex'));
  });

  it('also come under the second header prefix when there is one', () => {
    const headers = signatureHeaders({ id: 'msg_1', at: at(), body: '{}' }, only, 'Acme');
    expect(headers['x-acme-hmac-sha256']).to.equal(headers['x-svc-hmac-sha256']);
    expect(Object.keys(signatureHeaders({ id: 'msg_1', at: at(), body: '{}' }, only))).to.deep.equal([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'x-svc-hmac-sha256',
    ]);
  });
});
