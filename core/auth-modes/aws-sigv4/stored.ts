import type { Expiring } from '../building-blocks/stored-credentials.ts';

/** A role in the user's AWS account, and the temporary credentials of the latest session. */
export interface StoredAwsRole extends Expiring {
  readonly type: 'AWS_SIGV4';
  readonly roleArn: string;
  /** The access key of the latest session; empty before the first session. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}
