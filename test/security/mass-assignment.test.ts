import { expect } from 'chai';
import { client } from '../support/http-client.ts';
import { sendRequest, urlOf } from '../support/requests/api-request.ts';
import { type ApiOperation, apiOperations, resolve } from '../support/requests/operations.ts';
import { partOf } from '../support/requests/places.ts';
import type { Json, Schema } from '../support/requests/schema-values.ts';
import { World } from '../support/requests/world.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype'] as const;
/** Names of columns, of response fields and of internals. A route may accept such a name only if its schema has it. */
const COLUMNS = [
  ...['id', 'uuid', 'environment_id', 'environmentId', 'account_id', 'accountId', 'integration_id', 'owner', 'role', 'admin'],
  ...['credentials', 'secret', 'secret_hash', 'api_key', 'scopes', 'generation', 'state', 'state_cause', 'secret_config'],
  ...['created_at', 'createdAt', 'updated_at', 'deleted_at', 'revoked_at', 'last_fetched_at', 'expires_at', 'auth_error_log_id'],
  ...['errors', 'end_user', 'webhook_url', 'webhook_secret', 'refresh_owner', 'is_production', 'forward_webhooks', 'toString'],
];

type Example = Awaited<ReturnType<World['requestFor']>>;

interface Container {
  readonly at: readonly string[];
  readonly schema: Schema;
}

/** Returns every object in a body with its schema. */
function objectsIn(value: Json, input: Schema, at: readonly string[] = []): Container[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = resolve(input);
  const inner = Object.entries(value).flatMap(([name, member]) => objectsIn(member, partOf(schema, name), [...at, name]));
  return Array.isArray(value) ? inner : [{ at, schema }, ...inner];
}

/** Returns a body as text with one more field in one of its objects. `JSON.stringify` could not add `__proto__`. */
function bodyWith(body: Json, at: readonly string[], member: string): string {
  const [name, ...rest] = at;
  if (Array.isArray(body))
    return `[${body.map((item, index) => (String(index) === name ? bodyWith(item, rest, member) : JSON.stringify(item)))}]`;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const members = Object.entries(body).map(([key, value]) => {
    return `${JSON.stringify(key)}:${key === name ? bodyWith(value, rest, member) : JSON.stringify(value)}`;
  });
  return `{${[...members, ...(name === undefined ? [member] : [])].join(',')}}`;
}

function takes({ schema }: Container, member: string): boolean {
  const branches = [
    schema,
    ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : [])),
  ].map(resolve);
  return branches.some(({ properties, additionalProperties: further }) => {
    return Object.hasOwn(properties ?? {}, member) || (typeof further === 'object' && further !== null);
  });
}

describe('a name with a meaning inside the service (AUT-05)', function () {
  const world = use(this, () => World.open());
  // These pages are left out, because they ignore unknown parameters instead of refusing them.
  const pages = [
    ...['/connect', '/connect/l', '/connect/launch', '/connect/preview'],
    ...['/docs', '/docs/{guide}', '/docs/reference', '/docs/reference/{resource}'],
  ];
  const strict = apiOperations.filter((one) => !one.isStream && !one.isRaw && !pages.includes(one.template));
  const withBody = strict.filter(({ body }) => body !== undefined);
  const untouched = Object.getOwnPropertyNames(Object.prototype).sort();

  afterEach('the prototype of all objects is as it was', () => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).to.deep.equal(untouched);
    expect(Object.keys({}), 'members that every object has').to.deep.equal([]);
    expect(Reflect.get({}, 'polluted')).to.equal(undefined);
  });

  /** Calls `work` for each object in the example body. One example serves for all, because every request with it is refused. */
  async function eachObject(operation: ApiOperation, work: (container: Container, example: Example) => Promise<void>) {
    const example = await world.requestFor(operation);
    for (const container of objectsIn(example.request.body ?? {}, operation.body ?? {})) await work(container, example);
  }

  async function post({ request, client: caller }: Example, text: (body: Json) => string, type = 'application/json') {
    const headers = { ...request.headers, 'content-type': type };
    return caller.call(request.method, urlOf(request), { headers, body: text(request.body ?? {}) });
  }

  for (const operation of withBody) {
    it(`is refused by ${operation.name} as a member of any object if it is a name of the prototype`, async () => {
      await eachObject(operation, async ({ at }, example) => {
        for (const name of PROTOTYPE_NAMES) {
          for (const value of ['{"polluted":1}', '"polluted"', 'null']) {
            const response = await post(example, (body) => bodyWith(body, at, `"${name}":${value}`));
            expectError(response, 'invalid_body', [...at, name]);
          }
        }
      });
    });

    it(`is refused by ${operation.name} as an unknown member if it is the name of a column`, async () => {
      await eachObject(operation, async (container, example) => {
        for (const name of COLUMNS.filter((one) => !takes(container, one))) {
          const response = await post(example, (body) => bodyWith(body, container.at, `${JSON.stringify(name)}:1`));
          expectError(response, 'invalid_body');
          const paths: string[][] = response.body.error.errors.map((detail: { path: string[] }) => detail.path);
          expect(paths.map((path) => path.join('.')).join(' '), response.text).to.contain(
            [...container.at, name].slice(0, container.at.length || 1).join('.'),
          );
        }
      });
    });

    it(`does not make ${operation.name} accept a form`, async () => {
      const example = await world.requestFor(operation);
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const response = await post(example, () => '__proto__[polluted]=1&constructor[prototype][polluted]=1', type);
        expectError(response, 'invalid_content_type');
      }
    });
  }

  for (const operation of strict) {
    it(`is refused by ${operation.name} in the query, or has no special meaning`, async () => {
      const { request, client: caller } = await world.requestFor(operation);
      for (const name of PROTOTYPE_NAMES) {
        for (const query of [
          `${name}[polluted]=1`,
          `${name}=1`,
          `x[${name}]=1`,
          `x[${name}][polluted]=1`,
          `tags[${name}]=1`,
          `params[${name}]=1`,
        ]) {
          const url = urlOf(request);
          const response = await caller.call(operation.method, `${url}${url.includes('?') ? '&' : '?'}${query}`, {
            body: request.body,
          });
          expectError(response, 'invalid_query_params');
        }
      }
    });
  }

  it('has no special meaning to a route that accepts a form', async () => {
    const forms = apiOperations.filter(({ takesForm }) => takesForm);
    expect(forms).to.not.have.length(0);
    for (const operation of forms) {
      const { request, client: caller } = await world.requestFor(operation);
      for (const name of PROTOTYPE_NAMES) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const body = `${name}=1&${name}[polluted]=1`;
        const response = await caller.call(operation.method, `${urlOf(request)}?${name}[polluted]=1`, { headers, body });
        expect(response.status).to.equal(303);
        expect(response.headers.get('location')).to.equal(`?${name}[polluted]=1&${name}=1&${name}%5Bpolluted%5D=1`);
      }
    }
  });

  it('has no special meaning to a route that accepts any bytes', async () => {
    const raw = apiOperations.filter(({ isRaw, takesForm }) => isRaw && !takesForm);
    expect(raw).to.not.have.length(0);
    for (const operation of raw) {
      for (const name of PROTOTYPE_NAMES) {
        const { request, client: caller } = await world.requestFor(operation);
        const body = operation.body && bodyWith(request.body ?? {}, [], `"${name}":{"polluted":1}`);
        const plain = await caller.call(operation.method, urlOf(request), { body });
        const response = await caller.call(operation.method, `${urlOf(request)}?${name}[polluted]=1`, { body });
        expect(response.status).to.equal(plain.status).and.to.be.oneOf([200, 204, 400]);
      }
    }
  });

  it('has no special meaning as a header', async () => {
    const headers = { constructor: 'x', prototype: 'x', 'has-own-property': 'x', tostring: 'x' };
    for (const operation of apiOperations.filter(({ method }) => method === 'GET')) {
      const { request } = await world.requestFor(operation);
      const { status } = await sendRequest(client(world.app.url, world.app.apiKey), {
        ...request,
        headers: { ...request.headers, ...headers },
      });
      expect(status).to.be.below(500);
    }
  });
});
