import * as z from 'zod';
import { ServiceError } from '../../errors.ts';
import type { AuthMode, ModeInput } from '../auth-mode.ts';
import { credentialInput } from '../building-blocks/credential-input.ts';
import { defined, expires_at, text } from '../building-blocks/presented.ts';
import { assumeRole, assumeRoleFirst } from './assume-role.ts';
import { coversBody, roleSigner } from './signer.ts';
import type { StoredAwsRole } from './stored.ts';

const typed = credentialInput(
  z.strictObject({
    role_arn: z
      .string()
      .max(2048)
      .regex(/^arn:[a-z-]{1,32}:iam::\d{12}:role\/[\w+=,.@/-]+$/, 'must be the ARN of a role')
      .describe('ARN of the role in the user’s account; its trust policy names the integration’s account and the external ID'),
    region: z
      .string()
      .max(64)
      .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
      .optional()
      .describe('same as `params[region]`'),
  }),
  ({ role_arn: roleArn }) => ({
    type: 'AWS_SIGV4' as const,
    roleArn,
    accessKeyId: '',
    secretAccessKey: '',
    sessionToken: '',
  }),
);

/**
 * Connects a role in the user's AWS account. The integration's own AWS key assumes the role, and requests are signed with AWS
 * Signature Version 4.
 */
export const awsSigV4: AuthMode<StoredAwsRole> = {
  name: 'AWS_SIGV4',
  requires: ['token_url', 'aws_sigv4'],
  app: ['client_id', 'client_secret'],
  presented: z.strictObject({
    type: z.literal('CUSTOM'),
    raw: z.strictObject({
      role_arn: text,
      access_key_id: text,
      secret_access_key: text,
      session_token: text,
      expires_at,
    }),
  }),
  form: {
    ...typed,
    path: '/auth/aws-sigv4',
    operationId: 'connectWithAwsRole',
    summary: 'Connect with a role of an AWS account',
    example: { role_arn: 'arn:aws:iam::123456789012:role/example' },
    fields: { role_arn: { title: 'Role ARN' } },
    configuration: ['region'],
    check,
  },
  present: ({ roleArn, accessKeyId, secretAccessKey, sessionToken, expiresAt }) => ({
    type: 'CUSTOM',
    raw: defined({
      role_arn: roleArn,
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      session_token: sessionToken,
      expires_at: expiresAt,
    }),
  }),
  signer: roleSigner,
  signsBody: coversBody,
  templateValues: () => ({}),
  prepare: assumeRoleFirst,
  refresh: assumeRole,
};

/**
 * Checks that the integration has an AWS key and that the application has chosen an external ID. Without an external ID, a user
 * could connect the role of another customer, whose ARN is no secret.
 *
 * @throws ServiceError `missing_client_id`, `invalid_query_params`
 */
function check(_: unknown, { client, connectionConfig }: ModeInput): void {
  if (client.clientId === '' || client.clientSecret === '') {
    const message =
      'the integration has no AWS key: set its access key ID as client_id, and its secret access key as client_secret';
    throw new ServiceError('missing_client_id', message);
  }
  const externalId = connectionConfig['external_id'];
  if (typeof externalId === 'string' && /^[\w+=,.@:/-]{2,1224}$/.test(externalId)) return;
  const message = 'external_id is missing: the backend must set it in the connect session, a different one for each end user';
  const details = [{ code: 'required', message, path: ['params', 'external_id'] }];
  throw new ServiceError('invalid_query_params', message, { details });
}
