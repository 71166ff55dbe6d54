import { expect } from 'chai';
import * as z from 'zod';
import { MAX_BODY_BYTES } from '../../../../core/server/bodies/read-body.ts';
import { defineRoute } from '../../../../core/server/route.ts';
import { ROUTE, startEdge } from '../../../support/http-edge.ts';
import { use } from '../../../support/use.ts';

const POST = { ...ROUTE, method: 'POST' } as const;

const routes = [
  defineRoute({
    ...POST,
    path: '/text',
    body: z.strictObject({ text: z.string() }),
    handle: async (_: unknown, { body }) => ({ body: { length: body.text.length } }),
  }),
  defineRoute({
    ...POST,
    path: '/short',
    maxBodyBytes: 20,
    body: z.strictObject({ text: z.string() }).optional(),
    handle: async (_: unknown, { body }) => ({ body: { body: body ?? null } }),
  }),
  defineRoute({ ...POST, path: '/none', handle: async () => ({}) }),
];

const JSON_TYPE = { 'content-type': 'application/json' };

describe('JSON bodies', function () {
  const edge = use(this, () => startEdge(routes, { bodyDeadlineMs: 2_000 }));
  const REFUSED: readonly (readonly [string, string | Uint8Array, Record<string, string>, string])[] = [
    ['a form', 'text=a', { 'content-type': 'application/x-www-form-urlencoded' }, 'invalid_content_type'],
    ['text', '{"text":"a"}', { 'content-type': 'text/plain' }, 'invalid_content_type'],
    ['a type that only begins like JSON', '{"text":"a"}', { 'content-type': 'application/jsonp' }, 'invalid_content_type'],
    ['another charset', '{"text":"a"}', { 'content-type': 'application/json; charset=utf-16' }, 'invalid_content_type'],
    ['a compressed body', 'x', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'invalid_content_type'],
    ['text that is not JSON', '{"text":', JSON_TYPE, 'invalid_json'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE, 'invalid_json'],
    ['a name twice', '{"text":"a","text":"b"}', JSON_TYPE, 'invalid_body'],
    ['__proto__', '{"text":"a","__proto__":{}}', JSON_TYPE, 'invalid_body'],
    ['another kind of value', '[]', JSON_TYPE, 'invalid_body'],
    ['more than 2 MiB', ' '.repeat(MAX_BODY_BYTES + 1), JSON_TYPE, 'payload_too_large'],
    ['a million values and one', `[${'1,'.repeat(1_000_000)}1]`, JSON_TYPE, 'invalid_body'],
    [
      'a type that is JSON by its parameter',
      '{"text":"a"}',
      { 'content-type': 'text/plain; a=application/json' },
      'invalid_content_type',
    ],
  ];
  for (const [what, body, headers, code] of REFUSED) {
    it(`refuses ${what} as ${code}`, async () => {
      const response = await edge.as().post('/text', body, { headers });
      expect(response.body.error.code).to.equal(code);
    });
  }

  it('reads exactly 2 MiB', async () => {
    const text = 'x'.repeat(MAX_BODY_BYTES - '{"text":""}'.length);
    expect((await edge.as().post('/text', { text })).body).to.deep.equal({ length: text.length });
  });

  it('never repeats the content in its message', async () => {
    const { text } = await edge.as().post('/text', '{"text":hunter2}', { headers: JSON_TYPE });
    expect(text).to.contain('at position 8').and.not.to.contain('hunter2');
  });

  it('says what to send instead', async () => {
    const response = await edge.as().post('/text', 'a', { headers: { 'content-type': 'text/plain' } });
    expect([response.status, response.body.error.message]).to.deep.equal([
      415,
      'send the body as JSON in UTF-8, uncompressed, with "Content-Type: application/json"',
    ]);
  });

  for (const type of [
    'Application/JSON; charset="UTF-8"',
    'application/json;charset=utf8',
    'application/problem+json',
    'application/vnd.acme.v2+json; profile=x; charset=Utf-8',
  ]) {
    it(`takes ${type}`, async () => {
      const headers = { 'content-type': type };
      expect((await edge.as().post('/text', '{"text":"é"}', { headers })).body).to.deep.equal({ length: 1 });
    });
  }

  it("enforces a route's own limit, even when the length is not announced", async () => {
    const head = 'POST /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    const chunked = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { status, text } = await edge.raw(`${chunked}15\r\n{"text":"0123456789"}\r\n0\r\n\r\n`);
    expect(status).to.equal(413);
    expect(text).to.contain('"payload_too_large"').and.to.contain('20 bytes');
  });

  it('lets the schema decide what a missing body means', async () => {
    expect((await edge.as().post('/short')).body).to.deep.equal({ body: null });
    expect((await edge.as().post('/text')).body.error.code).to.equal('invalid_body');
  });

  it('refuses a body where the route takes none, but accepts a Content-Type without a body', async () => {
    expect((await edge.as().post('/none', {})).body.error.code).to.equal('invalid_body');
    expect((await edge.as().post('/none', undefined, { headers: JSON_TYPE })).status).to.equal(204);
  });

  it('closes the connection with 408 when a body does not arrive', async () => {
    const head = 'POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n';
    const { status, text, closed } = await edge.raw(`${head}{"text`);
    expect({ status, closed }).to.deep.equal({ status: 408, closed: true });
    expect(text).to.contain('"request_timeout"');
  });
});
