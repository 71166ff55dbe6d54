import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertAccount, insertEnvironment } from '../../core/tenants/environments/environment-store.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { type ApiRequest, sendRequest } from '../support/requests/api-request.ts';
import { exampleRequest, type Names, nameFor, namesSomething } from '../support/requests/names.ts';
import { type ApiOperation, apiOperations } from '../support/requests/operations.ts';
import { nameOfPlace, type Place, placesOf, withValue } from '../support/requests/places.ts';
import { firstOwner, type Owner, storeKey, storeNames, World } from '../support/requests/world.ts';
import { isLong } from '../support/size.ts';
import { skipBecause } from '../support/skip.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

/** A name that every tenant gives to one of its integrations and one of its connections. */
const EQUAL = 'equal';
const SAMPLES = 500;
const MAX_GAP_MS = 5;

interface Tenant extends Owner {
  readonly name: string;
  readonly accountKey: string;
}

/** Returns valid names and IDs of objects that do not exist. */
function nobodys(): Names {
  return {
    integration: `i-${randomUUID()}`,
    connectionId: randomUUID(),
    operationId: randomUUID(),
    environmentId: 987_654,
    environmentUuid: randomUUID(),
    receiver: randomUUID(),
    describedClient: randomUUID(),
    apiKeyId: 987_654,
    messageId: `msg_${randomUUID()}`,
    sessionToken: `svc_connect_session_${'0'.repeat(64)}`,
    flowId: randomUUID(),
    endedFlowId: randomUUID(),
    newName: '',
  };
}

describe('a tenant (TEN-01)', function () {
  const world = use(this, () => World.open());
  let tenants: readonly Tenant[];
  const shared = new Map<Tenant, Promise<Names>>();
  const guarded = apiOperations.filter(({ access }) => access !== 'public');

  before(async () => {
    const { app } = world;
    const second = await insertAccount(app.services.db, 'second');
    const { secret: secondKey } = await storeKey(app, { accountId: second, environmentId: null });
    const first = { name: 'first account, first environment', accountKey: app.accountKey, ...firstOwner(app) };
    tenants = [
      first,
      await newTenant('first account, second environment', first),
      await newTenant('second account, first environment', { accountId: second, accountKey: secondKey }),
      await newTenant('second account, second environment', { accountId: second, accountKey: secondKey }),
    ];
    for (const tenant of tenants) {
      await storeIntegration(tenant.api, EQUAL);
      const { environmentId, name: owner } = tenant;
      await storeConnection(app, { key: EQUAL, connectionId: EQUAL, environmentId, tags: { owner, team: EQUAL } });
    }
  });

  async function newTenant(name: string, { accountId, accountKey }: Pick<Tenant, 'accountId' | 'accountKey'>): Promise<Tenant> {
    const { id: environmentId } = await insertEnvironment(world.app.services.db, { accountId, name: randomUUID() });
    const { secret } = await storeKey(world.app, { accountId, environmentId });
    return { name, accountId, accountKey, environmentId, api: world.app.client(secret) };
  }

  /** Returns the names and IDs of a tenant's objects. All requests that do not change these objects share them. */
  async function namesOf(tenant: Tenant, { method, template }: ApiOperation): Promise<Names> {
    if (method === 'PATCH' || method === 'DELETE' || template === '/connections') return storeNames(world.app, tenant);
    const known = shared.get(tenant) ?? storeNames(world.app, tenant);
    shared.set(tenant, known);
    return { ...(await known), newName: `n-${randomUUID()}` };
  }

  function clientOf({ access }: ApiOperation, { api, accountKey }: Tenant, { sessionToken }: Names): Client {
    if (access === 'public' || 'session' in access) return world.app.client(sessionToken);
    return access.scope.startsWith('account:') ? world.app.client(accountKey) : api;
  }

  /**
   * Returns pairs of a tenant that asks and one that owns what is requested. Each tenant asks for objects of the next one, in the
   * same or another account; in a long run, for objects of all others. The environments of an account share its objects, so
   * for such objects only tenants of different accounts are paired.
   */
  function strangers({ access }: ApiOperation): (readonly [Tenant, Tenant])[] {
    const isOfAccount = access !== 'public' && 'scope' in access && access.scope.startsWith('account:');
    const distances = isLong ? [1, 2, 3] : [1];
    const pairs = tenants.flatMap((one, at) =>
      distances.map((distance) => [one, tenants[(at + distance) % tenants.length] ?? one] as const),
    );
    return pairs.filter(([one, other]) => !isOfAccount || one.accountId !== other.accountId);
  }

  for (const operation of guarded) {
    it(`gets the same response from ${operation.name} for another tenant's objects as for missing ones`, async () => {
      const asked = strangers(operation).map(([asking, owner]) => expectUnknown(operation, asking, owner));
      await Promise.all(asked);
    });
  }

  async function expectUnknown(operation: ApiOperation, asking: Tenant, owner: Tenant): Promise<void> {
    const theirs = await namesOf(owner, operation);
    const own = await namesOf(asking, operation);
    const request = exampleRequest(operation, own);
    const client = clientOf(operation, asking, own);
    for (const place of placesOf(operation, request).filter(({ at }) => namesSomething(at, operation.template))) {
      const what = `${asking.name} asks for things of ${owner.name} in ${nameOfPlace(place)}`;
      await expectNoDifference({ client, request, place, theirs }, what);
    }
    await expectUntouched(operation, owner, theirs);
  }

  interface Question {
    readonly client: Client;
    readonly request: ApiRequest;
    readonly place: Place;
    readonly theirs: Names;
  }

  async function expectNoDifference({ client, request, place, theirs }: Question, what: string): Promise<void> {
    const unknown = nobodys();
    // Both requests are sent at the same time, because some responses are slow.
    const [foreign, missing] = await Promise.all([
      sendRequest(client, naming(request, place, theirs)),
      sendRequest(client, naming(request, place, unknown)),
    ]);
    expect(outcome(foreign, theirs), what).to.deep.equal(outcome(missing, unknown));
  }

  async function expectUntouched(operation: ApiOperation, owner: Tenant, names: Names): Promise<void> {
    const path = `/connections/${names.connectionId}?provider_config_key=${names.integration}`;
    expect((await owner.api.get(path)).status, operation.name).to.equal(200);
    expect((await owner.api.get(`/logs/${names.operationId}`)).status).to.equal(200);
    const rows = await world.app.database.db('environments').whereIn('id', [names.environmentId, owner.environmentId]);
    expect(rows).to.have.length(2);
    expect(await world.app.database.db('api_keys').where({ id: names.apiKeyId }).whereNull('revoked_at')).to.have.length(1);
    const messages = world.app.database.db('webhook_messages').where({ message_id: names.messageId, replayed_at: null });
    expect(await messages).to.have.length(1);
  }

  for (const filter of [
    '',
    `?connectionId=${EQUAL}`,
    `?integrationId=${EQUAL}`,
    `?tags[team]=${EQUAL}`,
    `?limit=2000`,
    `?page=0`,
  ]) {
    it(`lists only its own connections: /connections${filter}`, async () => {
      for (const tenant of tenants) {
        const { body } = await tenant.api.get(`/connections${filter}`);
        const owners = body.connections.flatMap(({ tags }: { tags: { team?: string; owner: string } }) =>
          tags.team === EQUAL ? [tags.owner] : [],
        );
        expect(owners).to.deep.equal([tenant.name]);
      }
    });
  }

  it('lists only its own integrations', async () => {
    for (const tenant of tenants) {
      const { body } = await tenant.api.get('/integrations');
      const { rows } = await world.app.database.db.raw(
        'select unique_key from integrations where environment_id = ? and deleted_at is null',
        [tenant.environmentId],
      );
      const keys = (list: { unique_key: string }[]) => list.map(({ unique_key }) => unique_key).sort();
      expect(keys(body.data)).to.deep.equal(keys(rows));
    }
  });

  it("pages through only its own list, even with another tenant's cursor", async () => {
    for (const [asking, owner] of strangers({ ...apiOperations[0], access: { scope: 'environment:*' } } as ApiOperation)) {
      const { body } = await owner.api.get('/connections?limit=1');
      const { body: page } = await asking.api.get(`/connections?limit=2000&cursor=${body.next_cursor}`);
      for (const { tags } of page.connections) if (tags.team === EQUAL) expect(tags.owner).to.equal(asking.name);
    }
  });

  it("is told as late of what is another's as of what does not exist", async function () {
    if (!isLong) skipBecause(this, 'measures thousands of requests; TEST_SIZE=long');
    this.timeout(600_000);
    const [asking, owner] = [tenants[0], tenants[3]];
    if (asking === undefined || owner === undefined) throw new Error('there are four tenants');
    const theirs = await storeNames(world.app, owner);
    for (const operation of guarded.filter(({ method, template }) => method === 'GET' && template.includes('{'))) {
      const own = await storeNames(world.app, asking);
      const request = exampleRequest(operation, own);
      const client = clientOf(operation, asking, own);
      for (const place of placesOf(operation, request).filter(({ at }) => namesSomething(at, operation.template))) {
        const foreign: number[] = [];
        const missing: number[] = [];
        for (let count = 0; count < SAMPLES; count += 1) {
          foreign.push(await timeOf(() => sendRequest(client, naming(request, place, theirs))));
          missing.push(await timeOf(() => sendRequest(client, naming(request, place, nobodys()))));
        }
        expect(Math.abs(median(foreign) - median(missing)), `${operation.name} ${nameOfPlace(place)}`).to.be.below(MAX_GAP_MS);
      }
    }
  });
});

function naming(request: ApiRequest, place: Place, names: Names): ApiRequest {
  const name = place.at.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const member =
    { allowed_integrations: 'integrationId', 'connection-id': 'connectionId', 'provider-config-key': 'integrationId' }[name] ??
    name;
  return withValue(request, place, nameFor(names, member, request.template) ?? '');
}

/** Returns everything in a response that could reveal whether a named object belongs to another tenant or does not exist. */
function outcome({ status, headers, text }: ClientResponse, names: Names): object {
  const values = Object.values(names)
    .map(String)
    .filter((value) => value !== '');
  // Numeric IDs are replaced by the name of their field and not by value, because such a short number may also occur in a UUID.
  const unnumbered = text.replaceAll(/"(id|key_id)":\d+/g, '"$1":0');
  const plain = values.reduce(
    (left, value) => left.replaceAll(new RegExp(`(?<![\\w-])${value}(?![\\w-])`, 'g'), 'NAMED'),
    unnumbered,
  );
  const reported = plain
    .replaceAll(/svc_connect_session_[0-9a-f]{64}/g, 'TOKEN')
    .replaceAll(/svc_(?:sk|ak)_[\w-]{43}/g, 'KEY')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE');
  return { status, told: reported, headers: [...headers.keys()].sort() };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
