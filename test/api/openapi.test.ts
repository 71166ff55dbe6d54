import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as z from 'zod';
import { type HealthServices, healthRoutes } from '../../core/api/health.ts';
import { openApiRoutes } from '../../core/api/openapi.ts';
import { rootRoutes } from '../../core/api/root.ts';
import { anyJson } from '../../core/contract/json.ts';
import { ServiceError } from '../../core/errors.ts';
import { openApiDocument } from '../../core/server/openapi/document.ts';
import { defineRoute, defineStream, type Route } from '../../core/server/route.ts';
import { startEdge } from '../support/http-edge.ts';
import { responseChecker } from '../support/openapi.ts';
import { use } from '../support/use.ts';

const tag = 'Things';
const Thing = z.object({ id: z.string(), made_at: z.date(), tree: anyJson, note: z.string().nullable() }).meta({ id: 'Thing' });
const THING = { id: 'example-thing', made_at: '2026-01-15T09:30:00.000Z', tree: { leaf: 1 }, note: null };

const resources = [
  defineRoute({
    method: 'GET',
    path: '/things/:thing_id',
    access: { scope: 'environment:connections:read', orSession: true },
    tag,
    summary: 'One thing <b>with markup</b>',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1),
      tags: z.record(z.string(), z.string()).optional(),
      deep: z.stringbool().default(false).meta({ description: 'with what is in it', example: true }),
    }),
    responses: {
      200: { description: 'The thing.', schema: z.object({ data: Thing }), example: { data: THING } },
      404: { description: 'There is none.' },
    },
    async handle(_: unknown, { params }) {
      if (params['thing_id'] === 'none') throw new ServiceError('not_found', 'there is no such thing');
      const note = params['thing_id'] === 'wrong' ? 1 : null;
      return { body: { data: { id: params['thing_id'], made_at: new Date(), tree: [{ a: [null, 1] }], note } } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/things',
    access: { session: true },
    operationId: 'makeThing',
    deprecated: true,
    tag,
    summary: 'Make a thing',
    body: z.strictObject({ name: z.string().max(5).describe('how it is called'), at: z.coerce.date().optional() }),
    bodyExample: { name: 'thing' },
    responses: { 201: { description: 'Made.', schema: z.object({ id: z.string() }) } },
    handle: async () => ({ status: 201, body: { id: 'a' } }),
  }),
  defineStream({
    path: '/stream',
    access: { scope: 'environment:proxy' },
    tag: 'Streams',
    summary: 'A stream',
    responses: { 502: { description: 'No response.' } },
    handle: async (_: unknown, { response }) => void response.writeHead(418).end('tea'),
  }),
];
const routes: Route<HealthServices & { baseUrl: string }>[] = [
  ...resources,
  ...healthRoutes,
  ...openApiRoutes(() => routes),
  ...rootRoutes,
];

describe('the OpenAPI document', function () {
  const edge = use(this, () => startEdge(routes));
  // The response is deliberately not validated here, so that the tests see exactly what was sent.
  let document: ReturnType<typeof JSON.parse>;
  before(async () => {
    document = (await edge.as().get('/openapi.json')).body;
  });
  it('is OpenAPI 3.1.0, interface version 1.0.0, at the public address', () => {
    expect(document.openapi).to.equal('3.1.0');
    expect(document.info.version).to.equal('1.0.0');
    expect(document.servers).to.deep.equal([{ url: 'https://svc.example' }, { url: 'http://localhost:3003' }]);
  });

  it('has exactly the declared operations', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => `${method} ${path}`),
    );
    expect(operations).to.have.members([
      'get /things/{thing_id}',
      'post /things',
      ...['get', 'post', 'put', 'patch', 'delete', 'head', 'options'].map((method) => `${method} /stream/{path}`),
      'get /health',
      'get /ready',
      'get /metrics',
      'get /openapi.json',
      'get /docs',
      'get /docs/{guide}',
      'get /docs/reference',
      'get /docs/reference/{resource}',
      'get /docs/search.json',
      'get /docs/assets/{asset}',
      'get /',
    ]);
    const ids = operations.map((operation) => {
      const [method = '', path = ''] = operation.split(' ');
      return document.paths[path][method].operationId;
    });
    expect(new Set(ids).size).to.equal(operations.length);
  });

  it('lists the security requirements of each operation', () => {
    const read = document.paths['/things/{thing_id}'].get;
    expect(read.security).to.deep.equal([{ apiKey: [] }, { connectSession: [] }]);
    expect(read['x-svc-scope']).to.equal('environment:connections:read');
    expect(document.paths['/things'].post.security).to.deep.equal([{ connectSession: [] }]);
    expect(document.paths['/health'].get.security).to.deep.equal([]);
  });

  it('describes parameters and bodies as callers send them', () => {
    const { parameters } = document.paths['/things/{thing_id}'].get;
    expect(
      parameters.map((one: { name: string; in: string; required: boolean }) => [one.name, one.in, one.required]),
    ).to.deep.equal([
      ['thing_id', 'path', true],
      ['limit', 'query', true],
      ['tags', 'query', false],
      ['deep', 'query', false],
    ]);
    expect(parameters[2]).to.include({ style: 'deepObject', explode: true });
    const { schema } = document.paths['/things'].post.requestBody.content['application/json'];
    expect(schema).to.deep.include({ required: ['name'], additionalProperties: false });
    expect(schema.properties.name.description).to.equal('how it is called');
  });

  it('shows examples where readers look for them', () => {
    const { parameters, responses } = document.paths['/things/{thing_id}'].get;
    expect(parameters[3]).to.deep.include({
      description: 'with what is in it',
      schema: { type: 'boolean', default: false },
      example: true,
    });
    expect(responses[200].content['application/json'].example).to.deep.equal({ data: THING });
    expect(document.paths['/things'].post.requestBody.content['application/json'].example).to.deep.equal({ name: 'thing' });
    const { $ref } = responses[404].content['application/json'].examples.error;
    expect($ref).to.equal('#/components/examples/Error404');
    expect(document.components.examples.Error404.value.error.code).to.equal('not_found');
  });

  it('names operations as their routes do, or after method and path', () => {
    expect(document.paths['/things'].post).to.include({ operationId: 'makeThing', deprecated: true });
    expect(document.paths['/things/{thing_id}'].get.operationId).to.equal('getThingsThingId');
    expect(document.paths['/stream/{path}'].delete.operationId).to.equal('streamDelete');
  });

  it('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]*)"/g)].map(([, pointer = '']) => pointer);
    expect(references).to.include('/components/schemas/Thing');
    for (const pointer of new Set(references)) {
      const target = pointer
        .split('/')
        .slice(1)
        .reduce((part, key) => part?.[key], document);
      expect(target, pointer).to.be.an('object');
    }
  });

  it('needs an ID for a schema that refers to itself', () => {
    const Tree: z.ZodType = z.strictObject({ leaves: z.array(z.lazy(() => Tree)) });
    const planting = { method: 'POST', path: '/trees', access: 'public', tag, summary: 'A tree', responses: {} } as const;
    const handle = async () => ({ status: 204 });
    for (const body of [Tree, z.strictObject({ tree: Tree })]) {
      const planted = defineRoute({ ...planting, body, handle });
      expect(() => openApiDocument([planted], 'https://svc.example')).to.throw('needs an ID');
    }
  });

  it('describes every response, also errors', async () => {
    const check = responseChecker(document);
    const key = 'key-of-everything';
    const calls: readonly (readonly [string, string, string?])[] = [
      ['GET', '/things/a?limit=1', key],
      ['GET', '/things/none?limit=1', key],
      ['GET', '/things/a', key],
      ['GET', '/things/a?limit=1'],
      ['POST', '/things', key],
      ['PUT', '/things', key],
      ['GET', '/nowhere'],
      ['GET', '/stream/x', key],
      ['GET', '/stream/x'],
      ['GET', '/ready'],
      ['GET', '/metrics'],
      ['GET', '/docs'],
      ['GET', '/docs/webhooks'],
      ['GET', '/docs/reference'],
      ['GET', '/docs/reference/things'],
      ['GET', '/docs/search.json'],
      ['GET', '/'],
      ['GET', '/openapi.json'],
      ['HEAD', '/health'],
    ];
    for (const [method, path, credential] of calls) {
      const { status, headers, body } = await edge.as(credential).call(method, path);
      check({ method, path: path.split('?')[0] ?? path, status, contentType: headers.get('content-type'), body });
    }
  });

  it('detects a response that differs from its description', async () => {
    const check = responseChecker(document);
    const { status, headers, body } = await edge.as('key-of-everything').get('/things/wrong?limit=1');
    const response = { method: 'GET', path: '/things/wrong', status, contentType: headers.get('content-type'), body };
    expect(() => check(response)).to.throw('note');
    expect(() => check({ ...response, status: 202 })).to.throw('no such status');
    expect(() => check({ ...response, contentType: 'text/html' })).to.throw('text/html');
    expect(() => check({ ...response, path: '/nowhere' })).to.throw('no such operation');
  });
});

describe('GET /', () => {
  for (const accept of ['text/html', 'application/json']) {
    it(`without built pages redirects to the reference also for Accept: ${accept}`, async () => {
      await using edge = await startEdge(routes);
      for (const path of ['/', '/?utm_source=mail']) {
        const response = await fetch(edge.url + path, { headers: { accept }, redirect: 'manual' });
        expect(response.status).to.equal(302);
        expect(response.headers.get('location')).to.match(/^https?:\/\/[^/]+\/docs\/reference$/);
      }
    });
  }
});

describe('GET /docs/reference/:resource', () => {
  it('shows the operations, with their texts escaped, under a policy that allows its style sheet alone', async () => {
    await using edge = await startEdge(routes);
    const { status, headers, text } = await edge.as().get('/docs/reference/things');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).to.equal(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(text).to.contain('<b>GET</b> /things/{thing_id}').and.to.contain('&lt;b&gt;with markup&lt;/b&gt;');
    expect(text).to.contain('example-thing').and.to.contain('with what is in it');
    expect(text).not.to.match(/<script|<b>with| style=/);
  });
});
