import { expect } from 'chai';
import type { OperationOutcome, OperationStart } from '../../core/journal/operation-log/operation-row.ts';
import { newTimedId } from '../../core/kit/random-id.ts';
import { startApp } from '../support/app.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration, storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';

describe('logs', function () {
  const app = use(this, startApp);

  const noted = (environmentId = 1) => {
    const operation = app.services.activity.begin({
      type: 'auth',
      operation: 'creation',
      environmentId,
      providerConfigKey: 'one',
    });
    operation.note('error', 'the provider said no', { status: 400, access_token: 'never shown' });
    operation.end('failure');
    return operation.id;
  };

  it('show the operation of a log reference, without delay', async () => {
    const id = noted();
    const { status, body } = await app.api.get(`/logs/${id}`);
    expect(status).to.equal(200);
    const { created_at, ended_at, duration_ms, messages, ...operation } = body.data;
    expect(operation).to.deep.equal({
      id,
      type: 'auth',
      operation: 'creation',
      status: 'failure',
      connection_id: null,
      provider_config_key: 'one',
      summary: 'the provider said no',
      http_status: null,
      error_code: null,
      actor: { kind: 'system', id: null, name: null },
      request_id: null,
    });
    expect(Date.parse(ended_at) - Date.parse(created_at)).to.equal(duration_ms);
    expect(messages).to.have.length(1);
    expect(messages[0].facts).to.deep.equal({ status: 400, access_token: '[redacted]' });
  });

  it('are found by the ID of the request, which every response names', async () => {
    await storeIntegration(app.api, 'asked');
    const { connectionId } = await storeConnection(app, { key: 'asked' });
    const { headers, status } = await app.api.delete(`/connections/${connectionId}?provider_config_key=asked`);
    expect(status).to.equal(200);
    const requestId = headers.get('svc-request-id');
    const typesFor = async (id: string) => {
      const { body } = await app.api.get(`/logs?search=${id}`);
      return body.data.map(({ type, request_id }: Record<string, unknown>) => request_id === id && type);
    };
    expect(await typesFor(requestId ?? '')).to.have.members(['deletion', 'admin']);
    expect(await typesFor(newTimedId(new Date()))).to.deep.equal([]);
  });

  it('respond in the same way for an unknown entry and for one of another environment', async () => {
    const other = await storeTenant(app, 'other');
    const unknown = await app.api.get('/logs/7b1c1b86-53f5-4d6c-b1a5-0f7f5c8b3d11');
    const foreign = await app.api.get(`/logs/${noted(other.environmentId)}`);
    expectError(unknown, 'not_found');
    expect(foreign.text).to.equal(unknown.text);
  });

  it('are counted when they are lost', async () => {
    const lost = async () => Number(/^svc_operations_dropped_total (\d+)$/m.exec((await app.client().get('/metrics')).text)?.[1]);
    const before = await lost();
    noted(999);
    await app.services.activity.flush();
    expect(await lost()).to.equal(before + 1);
    expect(await lost()).to.equal(before + 1);
  });

  it('are requested by UUID', async () => {
    expectError(await app.api.get('/logs/1'), 'invalid_uri_params', ['id']);
  });

  it('name the key that caused an operation', async () => {
    const headers = { 'Provider-Config-Key': 'none', 'Connection-Id': 'of-a-key' };
    await app.api.get('/proxy/x', { headers });
    const { body } = await app.api.get('/logs?type=proxy&connection_id=of-a-key');
    const [key] = await app.database.db('api_keys').whereNotNull('environment_id').select('id', 'name');
    const { summary, error_code, actor } = body.data[0];
    expect({ summary, error_code, actor }).to.deep.equal({
      summary: 'GET /x → unknown_provider_config',
      error_code: 'unknown_provider_config',
      actor: { kind: 'api_key', id: String(key.id), name: key.name },
    });
  });
});

describe('lists of logs', function () {
  const app = use(this, startApp);
  /** The IDs of the stored operations by their names in `LOGGED`; each began a minute after the one before. */
  const ids = new Map<string, string>();

  type Logged = Partial<OperationStart> &
    OperationOutcome & { readonly status?: 'success' | 'failure' | 'cancelled'; readonly path?: string };
  const LOGGED: Readonly<Record<string, Logged>> = {
    call: {
      operation: 'GET',
      summary: 'GET /users/42 → 200',
      httpStatus: 200,
      path: '/proxy/users/42',
      connectionId: 'acme-ada-1',
    },
    missing: { operation: 'GET', summary: 'GET /users/43 → 404', httpStatus: 404, status: 'failure', connectionId: 'acme-ada-1' },
    stopped: { operation: 'POST', summary: 'POST /users', status: 'cancelled', actor: { kind: 'api_key', id: '7', name: 'k' } },
    renewal: { type: 'refresh', operation: 'refresh', status: 'failure', errorCode: 'invalid_grant', summary: 'Rejected' },
    script: { type: 'script', operation: 'on-webhook', providerConfigKey: 'two', actor: { kind: 'script', id: '7' } },
  };

  before(async () => {
    for (const [name, { status = 'success', path, summary, httpStatus, errorCode, ...start }] of Object.entries(LOGGED)) {
      app.clock.advance(60_000);
      const begun = { type: 'proxy', operation: 'GET', environmentId: 1, providerConfigKey: 'one', ...start } as const;
      const operation = app.services.activity.begin(begun);
      operation.note('info', 'it ended', path === undefined ? {} : { path });
      operation.describe({ summary, httpStatus, errorCode });
      operation.end(status);
      ids.set(name, operation.id);
    }
  });

  const listed = async (query: string): Promise<readonly string[]> => {
    const { status, body } = await app.api.get(`/logs?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data.map(({ id }: { id: string }) => [...ids].find(([, known]) => known === id)?.[0]);
  };

  it('begin with the newest', async () => {
    expect(await listed('')).to.deep.equal(Object.keys(LOGGED).toReversed());
  });

  const FILTERS: Readonly<Record<string, string>> = {
    'type=refresh,script': 'script renewal',
    'type=proxy&operation=POST': 'stopped',
    'status=failure': 'renewal missing',
    'status=failure,cancelled': 'renewal stopped missing',
    'status=success': 'script call',
    'integration=two': 'script',
    'integration=one,two&status=success': 'script call',
    'connection_id=acme-ada-1': 'missing call',
    'actor=api_key': 'stopped',
    'actor=script&actor_id=7': 'script',
    'actor=api_key&actor_id=8': '',
    'http_status=404': 'missing',
    'error_code=invalid_grant': 'renewal',
    'search=users': 'stopped missing call',
    'search=USER%2042': 'call',
    'search=/users/4': 'missing call',
    'search=404': 'missing',
    'search=acme-ada-1': 'missing call',
    'search=invalid_gr': 'renewal',
    'search=reject': 'renewal',
    'search=it%20end': 'script renewal stopped missing call',
    "search='%20%26%20!": '',
    "search='':*|users": 'stopped missing call',
    'search=0d7b1c1b-53f5-4d6c-b1a5-0f7f5c8b3d11': '',
  };

  for (const [query, expected] of Object.entries(FILTERS))
    it(`contain with ${decodeURIComponent(query)} ${expected || 'nothing'}`, async () => {
      expect((await listed(query)).join(' ')).to.equal(expected);
    });

  it('are found by ID', async () => {
    expect(await listed(`search=${ids.get('stopped')}`)).to.deep.equal(['stopped']);
  });

  it('can be limited to a time range', async () => {
    const { body } = await app.api.get('/logs');
    const at = Object.fromEntries(body.data.map((one: { id: string; created_at: string }) => [one.id, one.created_at]));
    const [from, to] = ['missing', 'renewal'].map((name) => at[ids.get(name) ?? '']);
    expect(await listed(`since=${from}&until=${to}`)).to.deep.equal(['stopped', 'missing']);
  });

  it('come page by page, each operation once', async () => {
    const found: string[] = [];
    let query = 'limit=2';
    for (let page = 0; page < 3; page += 1) {
      const { body } = await app.api.get(`/logs?${query}`);
      found.push(...body.data.map(({ id }: { id: string }) => id));
      query = `limit=2&cursor=${body.next_cursor}`;
      if (page === 2) expect(body.next_cursor).to.equal(null);
    }
    expect(found).to.deep.equal([...ids.values()].toReversed());
  });

  it('reach back to the oldest', async () => {
    app.clock.advance(200 * 24 * 60 * 60_000);
    expect(await listed('connection_id=acme-ada-1')).to.deep.equal(['missing', 'call']);
  });

  it('contain nothing of another environment', async () => {
    const other = await storeTenant(app, 'other');
    const { body } = await app.client(other.apiKey).get(`/logs?search=users&connection_id=acme-ada-1`);
    expect(body).to.deep.equal({ data: [], next_cursor: null });
  });

  const REFUSED: Readonly<Record<string, string>> = {
    'type=auth,none': 'type',
    'status=none': 'status',
    'cursor=NDI': 'cursor',
    'limit=1001': 'limit',
    'since=yesterday': 'since',
  };
  for (const [query, member] of Object.entries(REFUSED))
    it(`are refused with ${query}`, async () => {
      const { status, body } = await app.api.get(`/logs?${query}`);
      expect(status).to.equal(400);
      expect(body.error.errors[0].path[0]).to.equal(member);
    });

  it('accept the ID of an actor only with its kind', async () => {
    expect((await app.api.get('/logs?actor_id=7')).status).to.equal(400);
  });
});
