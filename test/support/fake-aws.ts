import { createHash, createHmac } from 'node:crypto';
import { canary } from './canaries.ts';
import type { ScriptedResponse } from './scripted-server/behaviour.ts';
import type { LedgerEntry } from './scripted-server/ledger.ts';
import { type Exchange, ScriptedServer } from './scripted-server/scripted-server.ts';

export const AWS_REGION = 'eu-central-1';
const LIFETIME_MS = 3_600_000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly sessionToken?: string;
}

/** An IAM role, with the condition under which its trust policy lets the operator assume it. */
interface Role {
  readonly arn: string;
  externalId: string;
  /** Whether the policy has no condition, so that it accepts any external ID. */
  acceptsAnyId?: boolean;
}

/**
 * A fake of AWS: STS at `/sts`, and APIs at every other path. They verify the signature of each request as described in "Create a
 * signed AWS API request", but only support requests that need no normalization.
 */
export class FakeAws extends ScriptedServer<'sts' | 'api'> {
  readonly operator: Key = { id: 'AKIAOPERATOR', secret: canary('AWS: secret access key of the operator') };
  readonly role: Role = { arn: 'arn:aws:iam::123456789012:role/example', externalId: 'external-id-of-ada' };
  readonly sessions: Key[] = [];

  protected override endpointOf(url: URL): 'sts' | 'api' {
    return url.pathname.startsWith('/sts') ? 'sts' : 'api';
  }

  protected override async work({ entry }: Exchange): Promise<ScriptedResponse> {
    const isSts = entry.endpoint === 'sts';
    const fault = this.#faultOf(entry, isSts ? [this.operator] : this.sessions);
    if (fault !== undefined) return stsError(403, fault);
    return isSts ? this.#assumeRole(new URLSearchParams(entry.body.toString())) : { status: 200, body: '{}' };
  }

  #assumeRole(params: URLSearchParams): ScriptedResponse {
    const { arn, externalId, acceptsAnyId = false } = this.role;
    const isAllowed = params.get('RoleArn') === arn && (acceptsAnyId || params.get('ExternalId') === externalId);
    if (params.get('Action') !== 'AssumeRole' || params.get('Version') !== '2011-06-15') return stsError(400, 'InvalidAction');
    if (!/^[\w+=,.@-]{2,64}$/.test(params.get('RoleSessionName') ?? '')) return stsError(400, 'ValidationError');
    if (!isAllowed) return stsError(403, 'AccessDenied');
    const session = {
      id: `ASIASESSION${this.sessions.length}`,
      secret: canary('AWS: secret access key of a session'),
      sessionToken: canary('AWS: session token'),
    };
    this.sessions.push(session);
    return sessionResponse(session, new Date(Date.now() + LIFETIME_MS));
  }

  /** Returns the error code with which AWS refuses a request that none of these keys has signed, else undefined. */
  #faultOf(entry: LedgerEntry, keys: readonly Key[]): string | undefined {
    const { headers } = entry;
    const [, id, day = '', region = '', service = '', names = '', signature] =
      AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
    const key = keys.find((candidate) => candidate.id === id);
    if (key === undefined || headers['x-amz-security-token'] !== key.sessionToken) return 'InvalidClientTokenId';
    const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
    const signed = names.split(';');
    const isCovered = mustBeSigned.every((name) => signed.includes(name)) && region === AWS_REGION;
    const time = String(headers['x-amz-date']);
    const payload = String(headers['x-amz-content-sha256'] ?? entry.bodySha256);
    const [path = '', query = ''] = entry.target.split('?');
    const canonical = [
      entry.method,
      path,
      query,
      ...signed.map((name) => `${name}:${String(headers[name])}`),
      '',
      names,
      payload,
    ].join('\n');
    const scope = [day, region, service, 'aws4_request'];
    const hash = createHash('sha256').update(canonical).digest('hex');
    const signingKey = scope.reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${key.secret}`);
    const expected = hmac(signingKey, ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n')).toString('hex');
    return isCovered && time.startsWith(day) && signature === expected ? undefined : 'SignatureDoesNotMatch';
  }
}

export async function startFakeAws(): Promise<FakeAws> {
  const aws = new FakeAws();
  await aws.listen();
  return aws;
}

/** Returns the example response from AWS's reference of `AssumeRole`, with this session key and expiration. */
export function sessionResponse({ id, secret, sessionToken = '' }: Key, expiration: Date): ScriptedResponse {
  const body = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleResult>
    <AssumedRoleUser>
      <Arn>arn:aws:sts::123456789012:assumed-role/ours/svc</Arn>
      <AssumedRoleId>AROA123EXAMPLE123:svc</AssumedRoleId>
    </AssumedRoleUser>
    <Credentials>
      <AccessKeyId>${id}</AccessKeyId>
      <SecretAccessKey>${secret}</SecretAccessKey>
      <SessionToken>
        ${sessionToken}
      </SessionToken>
      <Expiration>${expiration.toISOString()}</Expiration>
    </Credentials>
    <PackedPolicySize>8</PackedPolicySize>
  </AssumeRoleResult>
  <ResponseMetadata><RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId></ResponseMetadata>
</AssumeRoleResponse>`;
  return { status: 200, headers: { 'content-type': 'text/xml' }, body };
}

export function stsError(status: number, code: string): ScriptedResponse {
  const body = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error><Type>Sender</Type><Code>${code}</Code><Message>the provider’s words</Message></Error>
</ErrorResponse>`;
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Returns definitions of two AWS services. Their STS and API are at the server that the integration's configuration names. */
export function awsDefinitions(): Readonly<Record<string, string>> {
  const server = { type: 'string', title: 'Server', format: 'uri' };
  const definition = (service: string) => ({
    display_name: 'AWS',
    docs: 'https://docs.example.com',
    auth_mode: 'AWS_SIGV4',
    token_url: '${integrationConfig.server}/sts',
    aws_sigv4: { service, region: '${connectionConfig.region}' },
    integration_config: { server },
    connection_config: {
      region: { type: 'string', title: 'Region', enum: [AWS_REGION, 'us-east-1'] },
      external_id: { type: 'string', title: 'External ID', pattern: '[a-z-]+', hidden: true },
    },
    proxy: { base_url: '${integrationConfig.server}' },
  });
  return {
    'aws-queue/provider.json': JSON.stringify(definition('sqs')),
    'aws-store/provider.json': JSON.stringify(definition('s3')),
  };
}
