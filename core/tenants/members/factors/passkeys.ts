import { isIP } from 'node:net';
import * as z from 'zod';
import { ServiceError } from '../../../errors.ts';
import { isLoopback } from '../../../kit/loopback.ts';

/** Loads the library when the first passkey is used: it takes 25 MB of memory. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256 (RFC 9053 §2, RFC 8812 §2): every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];

/** The origin and relying party ID for passkeys (WebAuthn §5.1.3), or the reason why passkeys are not possible. */
type PasskeyPlace = { readonly origin: string; readonly rpId: string } | { readonly refused: 'no_https' | 'ip_address' };

/** Browsers offer passkeys only to pages with a domain name that are loaded over https or from this machine. */
export function passkeyPlace(baseUrl: string): PasskeyPlace {
  const { origin, protocol, hostname } = new URL(baseUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return { refused: 'ip_address' };
  if (protocol !== 'https:' && !isLoopback(hostname)) return { refused: 'no_https' };
  return { origin, rpId: hostname };
}

/** @throws ServiceError `conflict` if passkeys cannot be used at this base URL */
function requirePasskeyPlace(baseUrl: string): Exclude<PasskeyPlace, { refused: string }> {
  const place = passkeyPlace(baseUrl);
  if (!('refused' in place)) return place;
  const why = { no_https: 'plain http', ip_address: 'an IP address' }[place.refused];
  throw new ServiceError('conflict', `SVC_BASE_URL is ${why}: passkeys need a domain name and https`);
}

/** The stored form of a passkey. */
const passkey = z.strictObject({ id: z.string(), publicKey: z.string(), transports: z.array(z.string()) });
type Passkey = z.output<typeof passkey>;

export function readPasskey(stored: string): Passkey {
  return passkey.parse(JSON.parse(stored));
}

const encoded = z.base64url().max(16_384);
const credential = { id: encoded, rawId: encoded, type: z.literal('public-key'), clientExtensionResults: z.looseObject({}) };

/** `RegistrationResponseJSON` of WebAuthn §5.1; browsers may add fields. */
export const registration = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(64)).max(16).optional(),
  }),
});

/** `AuthenticationResponseJSON` of WebAuthn §5.1. */
export const assertion = z.looseObject({
  ...credential,
  response: z.looseObject({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded }),
});
export type Assertion = z.output<typeof assertion>;

interface Registering {
  readonly baseUrl: string;
  readonly member: { readonly memberId: number; readonly email: string; readonly name: string };
  readonly known: readonly Passkey[];
}

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn §5.1. */
export async function registrationOptions({ baseUrl, member, known }: Registering) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'svc',
    rpID: requirePasskeyPlace(baseUrl).rpId,
    userID: new TextEncoder().encode(`member ${member.memberId}`),
    userName: member.email,
    userDisplayName: member.name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
}

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn §5.1. */
export async function authenticationOptions(baseUrl: string, known: readonly Passkey[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: requirePasskeyPlace(baseUrl).rpId,
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    userVerification: 'preferred',
  });
}

interface Expected {
  readonly baseUrl: string;
  readonly challenge: string;
}

/** @returns undefined when the response cannot be verified */
export async function verifyRegistration(
  response: z.output<typeof registration>,
  { baseUrl, challenge }: Expected,
): Promise<(Passkey & { readonly counter: number }) | undefined> {
  const { verifyRegistrationResponse } = await library();
  const { origin, rpId } = requirePasskeyPlace(baseUrl);
  if (!(await isUnattested(response.response.attestationObject))) return undefined;
  const verified = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    ...{ id, counter, transports: response.response.transports ?? [] },
    publicKey: Buffer.from(publicKey).toString('base64url'),
  };
}

/**
 * Checks that the response has no attestation certificates: none were requested, and a certificate can name addresses that a
 * verifier would call.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** @returns the new counter of the passkey; undefined when the assertion cannot be verified */
export async function verifyAssertion(
  response: Assertion,
  { id, publicKey, transports, counter }: Passkey & { readonly counter: number },
  { baseUrl, challenge }: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const { origin, rpId } = requirePasskeyPlace(baseUrl);
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      ...{ id, counter, transports },
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
    },
    requireUserVerification: false,
  }).catch(() => undefined);
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}
