import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { contentPlace, contentText, readContent } from '../../core/webhook-ingress/delivery-content.ts';
import type { TestApp } from '../support/app.ts';
import { type Hook, hmacHex, hookSender, signatureOf } from '../support/hooked.ts';
import { HookedApp } from '../support/hooked-app.ts';
import { type ClientResponse, client } from '../support/http-client.ts';
import { use } from '../support/use.ts';

const JSON_TYPE = 'application/json';
const LIMIT_BYTES = 1024 * 1024;

const CODINGS: Readonly<Record<string, { coding: string; pack: (plain: Buffer) => Buffer }>> = {
  gzip: { coding: 'gzip', pack: gzipSync },
  'gzip in capitals': { coding: 'GZIP', pack: gzipSync },
  'gzip under its old name': { coding: 'x-gzip', pack: gzipSync },
  deflate: { coding: 'deflate', pack: deflateSync },
  'deflate without its header': { coding: 'deflate', pack: deflateRawSync },
  br: { coding: 'br', pack: brotliCompressSync },
  identity: { coding: 'identity', pack: (plain) => plain },
};

interface Refused {
  readonly body: Buffer;
  readonly coding: string;
  readonly expected: string;
}

const packed = gzipSync('{"a":1}');
const REFUSED: Readonly<Record<string, Refused>> = {
  'is cut off': { body: packed.subarray(0, -4), coding: 'gzip', expected: 'invalid_body 400' },
  'is not packed at all': { body: Buffer.from('{"a":1}'), coding: 'br', expected: 'invalid_body 400' },
  'is packed twice': { body: gzipSync(packed), coding: 'gzip, gzip', expected: 'invalid_content_type 415' },
  'is packed in another way': { body: packed, coding: 'zstd', expected: 'invalid_content_type 415' },
  'unpacks to too much': { body: gzipSync(Buffer.alloc(LIMIT_BYTES + 1)), coding: 'gzip', expected: 'payload_too_large 413' },
};

interface Text {
  readonly bytes: Buffer;
  readonly type: string;
  readonly payload: unknown;
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const base64 = (bytes: Buffer) => ({ raw: bytes.toString('base64'), encoding: 'base64' });
const BROKEN = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);

const TEXTS: Readonly<Record<string, Text>> = {
  'begins with a byte order mark': {
    bytes: Buffer.concat([MARK, Buffer.from('{"a":1}')]),
    type: JSON_TYPE,
    payload: { a: 1 },
  },
  'begins with two byte order marks': {
    bytes: Buffer.concat([MARK, MARK, Buffer.from('{}')]),
    type: JSON_TYPE,
    payload: { raw: '\ufeff{}' },
  },
  'is Latin-1': { bytes: Buffer.from('{"a":"é"}', 'latin1'), type: `${JSON_TYPE}; charset=ISO-8859-1`, payload: { a: 'é' } },
  'is UTF-16': { bytes: Buffer.from('\ufeff{"a":"é"}', 'utf16le'), type: `${JSON_TYPE};charset="utf-16"`, payload: { a: 'é' } },
  'is UTF-16, big end first': { bytes: bigEndian('\ufeff{"a":"é"}'), type: `${JSON_TYPE};charset=utf-16`, payload: { a: 'é' } },
  'is not the UTF-8 that it should be': { bytes: BROKEN, type: JSON_TYPE, payload: base64(BROKEN) },
  'is of a charset that nobody knows': {
    bytes: Buffer.from('{}'),
    type: 'text/plain; charset=klingon',
    payload: base64(Buffer.from('{}')),
  },
  'is no text': { bytes: packed, type: 'application/octet-stream', payload: base64(packed) },
};

describe('the payload of a webhook', function () {
  const hooked = use(this, () => HookedApp.open({ env: { SVC_WEBHOOK_MAX_BODY_MB: '1' } }));
  let app: TestApp;
  let hook: Hook;

  before(async () => {
    ({ app, hook } = hooked);
  });

  function send(body: Buffer, headers: Readonly<Record<string, string>>): Promise<ClientResponse> {
    return hookSender(client(app.url), hook)(body, { headers: { 'content-type': JSON_TYPE, ...headers } });
  }

  /** Sends a delivery as the provider. @returns the payload of the only webhook that forwards it, and whether it was verified */
  async function forwarded(body: Buffer, headers: Readonly<Record<string, string>>) {
    const sent = await hooked.forwards(async () => expect((await send(body, headers)).status).to.equal(200));
    expect(sent).to.have.length(1);
    return [sent[0]?.body.payload, sent[0]?.headers['svc-webhook-verified']];
  }

  for (const [name, { coding, pack }] of Object.entries(CODINGS)) {
    it(`is decompressed, and the signature covers its plain bytes: ${name}`, async () => {
      const plain = Buffer.from(JSON.stringify({ coding, name }));
      const headers = { 'content-encoding': coding, ...signatureOf(hook, plain) };
      expect(await forwarded(pack(plain), headers)).to.deep.equal([{ coding, name }, 'true']);
    });
  }

  for (const [name, { coding, pack }] of Object.entries(CODINGS)) {
    it(`is decompressed, and the signature covers its compressed bytes if the rule says so: ${name}`, async () => {
      const plain = Buffer.from(JSON.stringify({ coding, packed: name }));
      const body = pack(plain);
      const signed = (bytes: Buffer) => ({ 'content-encoding': coding, 'x-hook-packed': hmacHex(hook.secret ?? '', bytes) });
      expect(await forwarded(body, signed(body))).to.deep.equal([{ coding, packed: name }, 'true']);
      const isPacked = !body.equals(plain);
      expect((await send(body, signed(plain))).status).to.equal(isPacked ? 401 : 200);
    });
  }

  for (const [name, { body, coding, expected }] of Object.entries(REFUSED)) {
    it(`is refused with ${expected} when it ${name}`, async () => {
      const sent = await hooked.forwards(async () => {
        const response = await send(body, { 'content-encoding': coding });
        expect(`${response.body.error.code} ${response.status}`).to.equal(expected);
      });
      expect(sent).to.deep.equal([]);
    });
  }

  for (const [name, { bytes, type, payload }] of Object.entries(TEXTS)) {
    it(`is forwarded as it was signed when it ${name}`, async () => {
      expect(await forwarded(bytes, { 'content-type': type })).to.deep.equal([payload, 'true']);
    });
  }

  describe('that is the whole body', () => {
    const EXACT: Readonly<Record<string, string>> = {
      'long numbers': '{"id":12345678901234567890,"sum":1.0,"e":1E2,"zero":-0}',
      'white space': '\n\t{ "a" :\t[ 1 , 2 ] }\r\n',
      'escapes and repeated names': '{"a":"\\u00e9\\/é\\ud800 \u2028😀","a":"b","__proto__":1}',
      'one number': '9007199254740993',
      null: 'null',
      'null between white space': ' null\n',
      'true and nothing else': 'true',
      'one text': '"a \\u00e9"',
      'names as ours': '{"received":[[0,1]],"payload":2.0}',
    };
    for (const [name, json] of Object.entries(EXACT)) {
      it(`is forwarded byte for byte: ${name}`, async () => {
        const sent = await hooked.forwards(() => send(Buffer.from(json), {}));
        const envelope = '{"from":"hooked","providerConfigKey":"hook","type":"forward"';
        expect(sent.map(({ text }) => text)).to.deep.equal([`${envelope},"payload":${json}}`]);
      });
    }

    it('is forwarded for a connection, without a byte order mark', async () => {
      const connectionId = await hooked.store();
      const json = JSON.stringify({ keys: [{ by: 'connectionId', value: connectionId }], sum: 0 }).replace(':0}', ':0.0}');
      const sent = await hooked.forwards(() => send(Buffer.concat([MARK, Buffer.from(json)]), {}));
      expect(sent.map((one) => [one.connectionId, one.text.endsWith(`,"payload":${json}}`)])).to.deep.equal([
        [connectionId, true],
      ]);
    });

    it('is forwarded with each event that has no payload of its own, even after one that has', () => {
      const json = '{"ä": 1.0}';
      const events = [{ connections: [], payload: { own: 'é' }, type: 'first' }, { connections: [] }, { connections: [] }];
      const text = contentText({ events, payload: JSON.parse(json), json }, { headers: {} });
      const row = { id: 1, environment_id: 1, content: app.services.keys.encrypt(text, contentPlace(1, 1)) };
      const read = readContent(app.services.keys, row).events;
      expect(read.map((event) => event.json)).to.deep.equal([undefined, json, json]);
      expect(read.map(({ payload }) => payload)).to.deep.equal([{ own: 'é' }, { ä: 1 }, { ä: 1 }]);
    });
  });

  it('may be nested too deep in no charset', async () => {
    const deep = '['.repeat(300) + ']'.repeat(300);
    for (const [charset, bytes] of [
      ['utf-8', Buffer.concat([MARK, Buffer.from(deep)])],
      ['utf-16', Buffer.from(`\ufeff${deep}`, 'utf16le')],
      ['utf-16be', bigEndian(deep)],
    ] as const) {
      const { status, body } = await send(bytes, { 'content-type': `${JSON_TYPE}; charset=${charset}` });
      expect(`${charset} ${body.error?.code} ${status}`).to.equal(`${charset} webhook_invalid_payload 400`);
    }
  });
});
