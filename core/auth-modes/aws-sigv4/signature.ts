import { createHash, createHmac } from 'node:crypto';
import { type CoveredRequest, canonicalRequest, signedNames } from './canonical-request.ts';

const ALGORITHM = 'AWS4-HMAC-SHA256';
const OBJECT_STORE = 's3';

/** Returns whether a service name, as used in signatures, is that of Amazon S3, for which special rules apply. */
export function isObjectStore(service: string): boolean {
  return service === OBJECT_STORE;
}

/** Long-term credentials, or the credentials of an assumed role with their session token. */
export interface AwsKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SigningScope {
  readonly service: string;
  readonly region: string;
}

interface Signing extends SigningScope {
  readonly key: AwsKey;
  readonly at: Date;
}

/** Returns the value of `Authorization` ("Create a signed AWS API request", steps 2 to 5, in the IAM user guide). */
export function authorizationOf(request: CoveredRequest, { key, service, region, at }: Signing): string {
  const time = signingTime(at);
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const hash = hexSha256(canonicalRequest(request, isObjectStore(service)));
  const signingKey = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`);
  const signature = hmac(signingKey, [ALGORITHM, time, scope, hash].join('\n')).toString('hex');
  const names = signedNames(request.headers);
  return `${ALGORITHM} Credential=${key.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

/** Returns the time in ISO 8601 basic format, as in `x-amz-date`. */
export function signingTime(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

export function hexSha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
