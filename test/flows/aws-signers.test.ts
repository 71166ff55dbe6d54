import aws4 from 'aws4';
import { AwsV4Signer } from 'aws4fetch';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { AWS_REGION, awsDefinitions, startFakeAws } from '../support/fake-aws.ts';
import { makeFolders } from '../support/folders.ts';
import { send } from '../support/raw-http.ts';
import type { LedgerEntry } from '../support/scripted-server/ledger.ts';
import { use } from '../support/use.ts';

const SERVICES = { 'aws-store': 's3', 'aws-queue': 'sqs' } as const;
type Key = keyof typeof SERVICES;

const PATHS = [
  ...[
    '/',
    '/a',
    '/a/',
    '/a/b/c',
    '/a.b',
    '/a-b_c~d',
    '/photos/Jan/sample.jpg',
    '/2026/11/27/x',
    '/index.html',
    '/.a',
    '/..a',
    '/a..',
  ],
  ...['/a%20b', '/a%2Bb', '/a+b', '/+', '/a++b/c+', '/a%20+b', '/a%2bb', '/a%2Fb', '/a%2fb/c', '/%2F', '/a%2F%2Fb'],
  ...[
    '/a%25b',
    '/a%2525',
    '/caf%C3%A9',
    '/caf%c3%a9',
    '/%E2%82%AC',
    '/%F0%9F%A6%8A',
    '/%7Ea',
    '/%41',
    '/a%3Ab',
    '/a%3Fb',
    '/a%23b',
  ],
  ...[
    "/a'b",
    '/a(b)',
    '/a*b',
    '/a!b',
    '/a$b',
    '/a&b',
    '/a,b',
    '/a;b',
    '/a=b',
    '/a@b',
    '/a:b',
    '/year=2026/month=11',
    '/a%26b%3D',
  ],
] as const;
const QUERIES = [
  ...['x', 'x=', 'x=1', 'b=1&a=2', 'a=1&B=2', 'prefix=a/b', 'prefix=a%2Fb', 'x=a+b', 'x=a%20b', 'x=a%2Bb', 'x=%7E~', "x='()*!"],
  ...[
    'list-type=2&prefix=J',
    'uploads',
    'acl',
    'x=caf%C3%A9',
    'x=%F0%9F%A6%8A',
    'a%20b=1',
    'x=a=b',
    'x=%3D%26',
    'x=a:b@c',
    '-=1&_=2',
  ],
] as const;
/**
 * A query with a repeated parameter. The other two signers sign only its first value; AWS documents that all values are signed,
 * sorted, and its signer for JavaScript does so.
 */
const REPEATED = 'a=2&a=1';
describe('AWS signatures, compared with those of two other signers', function () {
  this.timeout(60_000);
  const aws = use(this, startFakeAws);
  const folders = use(this, () => makeFolders(awsDefinitions()));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  const connections = new Map<Key, string>();

  before(async () => {
    const { id: client_id, secret: client_secret } = aws.operator;
    for (const key of Object.keys(SERVICES) as Key[]) {
      const integration = { unique_key: key, provider: key, integration_config: { server: aws.url } };
      mustBe(200, await app.api.post('/integrations', { ...integration, credentials: { client_id, client_secret } }));
      const connection_config = { external_id: aws.role.externalId };
      const defaults = { allowed_integrations: [key], integrations_config_defaults: { [key]: { connection_config } } };
      const query = new URLSearchParams({ connect_session_token: await createSession(app, defaults) });
      const body = { role_arn: aws.role.arn, region: AWS_REGION };
      const connected = await app.client().post(`/auth/aws-sigv4/${key}?${query}`, body);
      mustBe(200, connected);
      connections.set(key, String(connected.body.connectionId));
    }
  });

  /** Sends a proxied call. @returns the request that arrived at the provider */
  async function arrived(key: Key, target: string): Promise<LedgerEntry> {
    const { port } = new URL(app.url);
    const headers = {
      authorization: `Bearer ${app.apiKey}`,
      'provider-config-key': key,
      'connection-id': connections.get(key) ?? '',
    };
    await send({ port: Number(port), path: `/proxy${target}`, headers });
    const entry = aws.ledger.of('api').at(-1);
    if (entry === undefined) throw new Error('nothing has arrived');
    return entry;
  }

  async function signatures(key: Key, target: string): Promise<{ readonly ours: string; readonly theirs: readonly string[] }> {
    const { method, target: path, headers } = await arrived(key, target);
    const authorization = String(headers.authorization);
    const [, id, names = '', ours = ''] = /Credential=([^/]+).*SignedHeaders=([^,]+), Signature=(\w+)/.exec(authorization) ?? [];
    const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]));
    const session = aws.sessions.find((one) => one.id === id);
    const keys = { accessKeyId: id ?? '', secretAccessKey: session?.secret ?? '' };
    const service = SERVICES[key];
    const one = aws4.sign({ service, region: AWS_REGION, method, path, headers: { ...signed } }, keys);
    const url = `http://${headers.host}${path}`;
    const datetime = String(headers['x-amz-date']);
    const other = new AwsV4Signer({
      ...keys,
      service,
      region: AWS_REGION,
      method,
      url,
      headers: signed,
      datetime,
      allHeaders: true,
    });
    const theirs = String(one.headers?.['Authorization']).replace(/^.*Signature=/, '');
    return { ours, theirs: [theirs, await other.signature()] };
  }

  for (const key of Object.keys(SERVICES) as Key[]) {
    it(`are the same for ${SERVICES[key]} with ${PATHS.length} paths and ${QUERIES.length} queries`, async () => {
      for (const target of [
        ...PATHS,
        ...QUERIES.map((query) => `/a?${query}`),
        ...(key === 'aws-queue' ? [`/a?${REPEATED}`] : []),
      ]) {
        const { ours, theirs } = await signatures(key, target);
        expect(ours, target).to.match(/^[0-9a-f]{64}$/);
        expect(theirs, `${SERVICES[key]} ${target}`).to.deep.equal([ours, ours]);
      }
    });
  }
});
