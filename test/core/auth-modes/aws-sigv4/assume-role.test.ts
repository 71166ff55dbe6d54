import { expect } from 'chai';
import { type ModeInput, TokenFailure, type TokenFailureKind } from '../../../../core/auth-modes/auth-mode.ts';
import { awsSigV4 } from '../../../../core/auth-modes/aws-sigv4/index.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { type FakeAws, sessionResponse, startFakeAws, stsError } from '../../../support/fake-aws.ts';
import type { Behaviour } from '../../../support/scripted-server/behaviour.ts';
import { use, useEach } from '../../../support/use.ts';
import { modeInput, NOW, tokenFailure } from '../building-blocks/token-endpoint/mode-input.ts';

const REFUSALS: readonly (readonly [status: number, code: string, kind: TokenFailureKind, shown: string | undefined])[] = [
  [403, 'AccessDenied', 'refused', 'AccessDenied'],
  [400, 'ValidationError', 'refused', 'ValidationError'],
  [403, 'InvalidClientTokenId', 'transient', 'InvalidClientTokenId'],
  [403, 'SignatureDoesNotMatch', 'transient', 'SignatureDoesNotMatch'],
  [400, 'Throttling', 'transient', 'Throttling'],
  [503, 'AccessDenied', 'transient', 'AccessDenied'],
  [500, 'SomethingElse', 'transient', undefined],
  [400, 'a secret in its place', 'transient', undefined],
];

const UNUSABLE: Readonly<Record<string, string>> = {
  'no credentials': '<AssumeRoleResponse/>',
  'no session token': inResponse('<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>a</SecretAccessKey>'),
  'text for credentials': inResponse('none'),
  'two of everything': credentials('token</SessionToken><SessionToken>token'),
  'a token in an unclosed document': credentials('token').slice(0, -1),
  'an entity of its own': `<!DOCTYPE x [<!ENTITY t "token">]>${credentials('&t;')}`,
  'a token that fits into no header': credentials('to\nken'),
  'an escaped token': credentials('a&amp;b'),
  JSON: '{"AssumeRoleResponse": {}}',
  nothing: '',
};

function credentials(token: string): string {
  const key = '<AccessKeyId>A</AccessKeyId><SecretAccessKey>a</SecretAccessKey>';
  return inResponse(`${key}<SessionToken>${token}</SessionToken>`);
}

function inResponse(content: string): string {
  const result = `<AssumeRoleResult><Credentials>${content}</Credentials></AssumeRoleResult>`;
  return `<AssumeRoleResponse>${result}</AssumeRoleResponse>`;
}

describe('a session of an AWS role', function () {
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  const aws = useEach(this, startFakeAws);

  function inputOf({ url, operator, role }: FakeAws, changes: Partial<ModeInput> = {}): ModeInput {
    const definition = { token_url: `${url}/sts/`, aws_sigv4: { service: 's3', region: '${connectionConfig.region}' } };
    const client = { clientId: operator.id, clientSecret: operator.secret, scopes: [] };
    const connectionConfig = { region: 'eu-central-1', external_id: role.externalId };
    return modeInput({ auth_mode: 'AWS_SIGV4', ...definition }, { client, connectionConfig, ...changes });
  }

  async function assume(changes: Partial<ModeInput> = {}, tokenCallMs = 20_000) {
    const stored = { roleArn: aws.role.arn, accessKeyId: '', secretAccessKey: '', sessionToken: '' };
    const previous = { type: 'AWS_SIGV4' as const, ...stored, receivedAt: NOW.toISOString() };
    if (awsSigV4.refresh === undefined) throw new Error('it can be renewed');
    return awsSigV4.refresh({ outbound, now: () => NOW, tokenCallMs }, inputOf(aws, changes), previous);
  }

  /** Makes the fake STS respond in this way. The fake checks signatures as of the time that the request states. */
  function respondWith(behaviour: Behaviour): void {
    aws.always('sts', behaviour);
  }

  it('is asked for in a request that the operator’s key signs, with the external ID', async () => {
    const session = await assume();
    const [call] = aws.ledger.of('sts');
    expect(Object.fromEntries(new URLSearchParams(String(call?.body)))).to.deep.equal({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: aws.role.arn,
      RoleSessionName: 'svc',
      ExternalId: aws.role.externalId,
    });
    expect(call?.headers).to.include({ 'x-amz-date': '20260301T120000Z' });
    const scope = `Credential=${aws.operator.id}/20260301/eu-central-1/sts/aws4_request`;
    expect(call?.headers.authorization).to.include(`${scope}, SignedHeaders=content-type;host;x-amz-date, `);
    const [issued] = aws.sessions;
    expect(session).to.deep.include({
      roleArn: aws.role.arn,
      accessKeyId: issued?.id,
      secretAccessKey: issued?.secret,
      sessionToken: issued?.sessionToken,
      receivedAt: NOW.toISOString(),
    });
  });

  it('lasts as long as the response says, or an hour', async () => {
    const key = { id: 'ASIA', secret: 'secret', sessionToken: 'token' };
    respondWith({ response: sessionResponse(key, new Date('2026-03-01T12:15:00Z')) });
    expect(await assume()).to.include({ expiresAt: '2026-03-01T12:15:00.000Z' });
    respondWith({ response: sessionResponse(key, new Date('2025-03-01T12:15:00Z')) });
    expect(await assume()).to.include({ expiresAt: '2026-03-01T13:00:00.000Z' });
  });

  for (const [status, code, kind, shown] of REFUSALS) {
    it(`fails as ${kind} at ${status} ${code}`, async () => {
      respondWith({ response: stsError(status, code) });
      const failure = await tokenFailure(assume());
      expect(failure).to.include({ kind, status: code === 'Throttling' ? 429 : status, providerCode: shown });
      expect(failure.message).to.not.include('words');
    });
  }

  it('is refused for the external ID of somebody else', async () => {
    const connectionConfig = { region: 'eu-central-1', external_id: 'external-id-of-bob' };
    expect(await tokenFailure(assume({ connectionConfig }))).to.include({ kind: 'refused', providerCode: 'AccessDenied' });
  });

  for (const [what, body] of Object.entries(UNUSABLE)) {
    it(`fails as malformed at a response with ${what}`, async () => {
      respondWith({ response: { status: 200, body } });
      expect(await tokenFailure(assume())).to.include({ kind: 'malformed', status: 200 });
    });
  }

  it('fails as unknown when no response comes', async () => {
    respondWith({ delivery: 'hang' });
    expect(await tokenFailure(assume({}, 100))).to.include({ kind: 'unknown', status: 0 });
  });

  it('is not requested in a region whose name is invalid', async () => {
    const connectionConfig = { region: 'eu/central', external_id: aws.role.externalId };
    const failure: unknown = await assume({ connectionConfig }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'transient' });
    expect(aws.ledger.of('sts')).to.have.length(0);
  });
});
