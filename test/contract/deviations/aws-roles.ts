import { expect } from 'chai';
import { throughProxy } from '../../support/connect.ts';
import { connect, expectRefused } from '../../support/deviating-tokens.ts';
import { apiOf, type Deviation } from '../../support/deviation.ts';
import { AWS_REGION, FakeAws } from '../../support/fake-aws.ts';

const aws = new FakeAws();
const { id: client_id, secret: client_secret } = aws.operator;

/** AWS: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
const role = {
  name: 'signed-for-a-role',
  members: {
    auth_mode: 'AWS_SIGV4',
    token_url: `${apiOf('signed-for-a-role')}/sts`,
    aws_sigv4: { service: 'sqs', region: AWS_REGION },
    connection_config: { external_id: { type: 'string', title: 'External ID', pattern: '[a-z-]+', hidden: true } },
  },
  enters: { role_arn: aws.role.arn },
  backendSets: { external_id: aws.role.externalId },
};

const rows: readonly Deviation[] = [
  {
    ...role,
    server: aws,
    works: async (scene) => {
      await scene.integrate({ credentials: { client_id, client_secret } });
      const connected = await connect(scene, role);
      expect(connected.status, connected.text).to.equal(200);
      const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' };
      const call = { path: '/queue?a=1', method: 'POST', headers, body: { MessageBody: 'hello' } };
      const { connectionId } = connected.body;
      const { status, text } = await throughProxy(scene.app, { connectionId, key: scene.name }, call);
      expect(status, text).to.equal(200);
      expect(aws.ledger.of('api').at(-1)?.headers['x-amz-security-token']).to.equal(aws.sessions.at(-1)?.sessionToken);
    },
    hostile: {
      title: 'refuses a role that any external ID may assume, and an external ID from the user',
      attack: async (scene) => {
        const { backendSets, ...unset } = role;
        await expectRefused(scene, { ...unset, params: backendSets });
        await expectRefused(scene, { ...role, backendSets: { external_id: 'of-another-customer' } });
        aws.role.acceptsAnyId = true;
        await expectRefused(scene, role);
        aws.role.acceptsAnyId = false;
      },
    },
  },
];

export default rows;
