import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { connectionsOf } from '../support/authorization.ts';
import { createReconnectSession, createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { awsDefinitions, type FakeAws, AWS_REGION as REGION, startFakeAws, stsError } from '../support/fake-aws.ts';
import { makeFolders } from '../support/folders.ts';
import type { ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const QUEUE = 'aws-queue';
const STORE = 'aws-store';
/** The size of the largest body that the service buffers to sign it. */
const MAX_SIGNED_BYTES = 1024 * 1024;

/** Error responses of STS, each with the resulting error code of the service. */
const FAILURES: readonly (readonly [status: number, code: string, error: 'connection_test_failed' | 'provider_unavailable'])[] = [
  [403, 'AccessDenied', 'connection_test_failed'],
  [400, 'Throttling', 'provider_unavailable'],
  [503, 'ServiceUnavailable', 'provider_unavailable'],
];

describe('connecting a role of an AWS account', function () {
  this.timeout(30_000);
  const aws = use(this, startFakeAws);
  const folders = use(this, () => makeFolders(awsDefinitions()));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    for (const key of [QUEUE, STORE]) await integrate(key, aws);
    await integrate('without-key', undefined);
  });
  beforeEach(() => aws.always('sts', {}));

  async function integrate(key: string, owner: FakeAws | undefined): Promise<void> {
    const { id, secret } = owner?.operator ?? {};
    const app_ = owner === undefined ? {} : { credentials: { client_id: id, client_secret: secret } };
    const provider = key === STORE ? STORE : QUEUE;
    mustBe(
      200,
      await app.api.post('/integrations', { unique_key: key, provider, integration_config: { server: aws.url }, ...app_ }),
    );
  }

  /** Creates a connect session in which the application's backend sets the external ID of its customer. */
  function session(key = QUEUE, externalId: string | undefined = aws.role.externalId): Promise<string> {
    const connection_config = externalId === '' ? {} : { external_id: externalId };
    return createSession(app, { allowed_integrations: [key], integrations_config_defaults: { [key]: { connection_config } } });
  }

  function submit(token: string, body: object, { key = QUEUE, params = {} }: { key?: string; params?: object } = {}) {
    const query = new URLSearchParams({ connect_session_token: token });
    for (const [name, value] of Object.entries(params)) query.set(`params[${name}]`, String(value));
    return app.client().post(`/auth/aws-sigv4/${key}?${query}`, body);
  }

  async function connect(key = QUEUE) {
    const response = await submit(await session(key), { role_arn: aws.role.arn, region: REGION }, { key });
    mustBe(200, response);
    return { connectionId: String(response.body.connectionId), key };
  }

  function isSigned(response: ClientResponse): void {
    expect(response.status, response.text).to.equal(200);
  }

  it('assumes it with the external ID of the session, and returns temporary credentials', async () => {
    const connected = await connect();
    const { body } = await readConnection(app, connected);
    const issued = aws.sessions.at(-1);
    expect(body.connection_config).to.deep.equal({ region: REGION, external_id: aws.role.externalId });
    expect(body.credentials).to.have.all.keys('type', 'raw');
    expect(body.credentials.type).to.equal('CUSTOM');
    expect(body.credentials.raw).to.include({
      role_arn: aws.role.arn,
      access_key_id: issued?.id,
      secret_access_key: issued?.secret,
      session_token: issued?.sessionToken,
    });
  });

  it('accepts the region as other configuration, too, and only a region that the definition lists', async () => {
    const body = { role_arn: aws.role.arn };
    mustBe(200, await submit(await session(), body, { params: { region: REGION } }));
    expectError(await submit(await session(), body), 'invalid_query_params', ['params', 'region']);
    expectError(await submit(await session(), { ...body, region: 'eu-west-9' }), 'invalid_query_params', ['params', 'region']);
    expectError(await submit(await session(), { ...body, region: 'EU/1' }), 'invalid_body', ['region']);
  });

  it('takes the external ID from the backend only', async () => {
    const body = { role_arn: aws.role.arn, region: REGION };
    const params = { external_id: aws.role.externalId };
    expectError(await submit(await session(QUEUE, ''), body), 'invalid_query_params', ['params', 'external_id']);
    expectError(await submit(await session(QUEUE, ''), body, { params }), 'invalid_query_params', ['params', 'external_id']);
    expectError(await submit(await session(QUEUE, 'external-id-of-bob'), body), 'connection_test_failed');
  });

  it('refuses a role that could be assumed with any external ID, and says what its trust policy lacks', async () => {
    const token = await session();
    const before = (await connectionsOf(app)).length;
    const body = { role_arn: aws.role.arn, region: REGION };
    aws.role.acceptsAnyId = true;
    const response = await submit(token, body);
    expectError(response, 'connection_test_failed');
    expect(response.body.error.message).to.include('"sts:ExternalId"').and.not.to.include(aws.role.externalId);
    expect(await connectionsOf(app)).to.have.length(before);
    aws.role.acceptsAnyId = false;
    mustBe(200, await submit(token, body));
  });

  it('stores nothing when STS does not say whether another external ID will do', async () => {
    const before = (await connectionsOf(app)).length;
    const body = { role_arn: aws.role.arn, region: REGION };
    aws.next('sts', {}, { response: stsError(503, 'ServiceUnavailable') });
    expectError(await submit(await session(), body), 'provider_unavailable');
    expect(await connectionsOf(app)).to.have.length(before);
  });

  it('needs a role and an access key of the operator', async () => {
    expectError(await submit(await session(), { role_arn: 'ours', region: REGION }), 'invalid_body', ['role_arn']);
    expectError(await submit(await session(), { region: REGION }), 'invalid_body', ['role_arn']);
    const calls = aws.ledger.of('sts').length;
    const body = { role_arn: aws.role.arn, region: REGION };
    expectError(await submit(await session('without-key'), body, { key: 'without-key' }), 'missing_client_id');
    expect(aws.ledger.of('sts')).to.have.length(calls);
  });

  for (const [status, code, error] of FAILURES) {
    it(`stores nothing when STS responds with ${status} ${code}, and the session can be used again`, async () => {
      const token = await session();
      const before = (await connectionsOf(app)).length;
      const body = { role_arn: aws.role.arn, region: REGION };
      aws.next('sts', { response: stsError(status, code) });
      const response = await submit(token, body);
      expectError(response, error);
      expect(response.text).not.to.include('words');
      expect(await connectionsOf(app)).to.have.length(before);
      mustBe(200, await submit(token, body));
    });
  }

  it('stores nothing while STS is slow', async () => {
    const before = (await connectionsOf(app)).length;
    const barrier = aws.barrier('sts');
    const response = submit(await session(), { role_arn: aws.role.arn, region: REGION });
    await barrier.arrived(1);
    expect(await connectionsOf(app)).to.have.length(before);
    barrier.open();
    mustBe(200, await response);
  });

  it('signs each proxied request, with its body and the headers that AWS wants covered', async () => {
    const connected = await connect();
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
      'x-amz-date': 'old',
    };
    isSigned(await throughProxy(app, connected, { path: '/', method: 'POST', headers, body: { MessageBody: 'hello' } }));
    isSigned(await throughProxy(app, connected, { path: '/queue?a=1&b=2' }));
    isSigned(await throughProxy(app, connected, { path: '/queue', method: 'DELETE' }));
    const [post] = aws.ledger.of('api').slice(-3);
    expect(post?.rawHeaders.filter((name) => name.toLowerCase() === 'x-amz-date')).to.have.length(1);
    expect(post?.headers.authorization).to.include(
      'SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target',
    );
  });

  it('signs no body that is too large to be buffered', async () => {
    const connected = await connect();
    const calls = aws.ledger.of('api').length;
    const body = 'x'.repeat(MAX_SIGNED_BYTES + 1);
    expectError(await throughProxy(app, connected, { path: '/', method: 'POST', body }), 'payload_too_large');
    expect(aws.ledger.of('api')).to.have.length(calls);
  });

  it('streams bodies of any size to the object store, where they need not be signed', async () => {
    const connected = await connect(STORE);
    const body = 'x'.repeat(3 * MAX_SIGNED_BYTES);
    isSigned(
      await throughProxy(app, connected, { path: '/bucket/key', method: 'PUT', body, headers: { 'x-amz-acl': 'private' } }),
    );
    const call = aws.ledger.of('api').at(-1);
    expect(call?.headers['x-amz-content-sha256']).to.equal('UNSIGNED-PAYLOAD');
    expect(call?.bodyBytes).to.equal(body.length);
    const chunked = { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' };
    const refused = await throughProxy(app, connected, { path: '/bucket/key', method: 'PUT', body: 'x', headers: chunked });
    expectError(refused, 'invalid_headers');
  });

  it('refreshes the credentials before they expire', async () => {
    const connected = await connect();
    await app.clock.advance(3_500_000, app.database.db);
    const calls = aws.ledger.of('sts').length;
    const { body } = await readConnection(app, connected);
    expect(aws.ledger.of('sts')).to.have.length(calls + 1);
    expect(body.credentials.raw.session_token).to.equal(aws.sessions.at(-1)?.sessionToken);
    isSigned(await throughProxy(app, connected, { path: '/queue' }));
  });

  it('needs the user when the role can no longer be assumed, and works again once it can be', async () => {
    const connected = await connect();
    const { externalId } = aws.role;
    aws.role.externalId = 'another-one';
    expectError(await readConnection(app, connected, '&force_refresh=strict'), 'invalid_credentials');
    aws.role.externalId = externalId;
    const token = await createReconnectSession(app, connected);
    mustBe(200, await submit(token, { role_arn: aws.role.arn }));
    const { body } = await readConnection(app, connected);
    expect(body.credentials.raw.session_token).to.equal(aws.sessions.at(-1)?.sessionToken);
    expect(body.connection_config).to.deep.equal({ region: REGION, external_id: externalId });
  });
});
