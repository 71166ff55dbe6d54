import { type ErrorDetail, ServiceError } from '../../errors.ts';
import { isUsableCertificate } from '../../kit/client-certificate.ts';
import type { ModeInput } from '../auth-mode.ts';
import { tidyPem } from '../building-blocks/signed-jwt/key-text.ts';
import { SigningKeyError } from '../building-blocks/signed-jwt/signing-key-error.ts';

const CERTIFICATE = /^CERTIFICATE$/;
const PRIVATE_KEY = /^(?:RSA |EC )?PRIVATE KEY$/;

/** The values that a user enters for an app, apart from its ID. */
interface EnteredApp {
  readonly client_secret?: string | undefined;
  readonly client_certificate?: string | undefined;
  readonly client_private_key?: string | undefined;
}

/**
 * Checks that the app can authenticate: that the fields which the definition requires are present, that there is a secret or a
 * private key, and that a certificate belongs to the private key.
 *
 * @throws ServiceError `invalid_body`
 */
export function checkApp(given: EnteredApp, { definition }: Pick<ModeInput, 'definition'>): void {
  const faults = [...missing(given, definition), ...misfits(given)];
  if (faults.length > 0) throw invalid(faults);
}

/** Returns the certificate and the private key as PEM. @throws ServiceError `invalid_body` if one of them cannot be read */
export function storedPem(given: EnteredApp): { readonly clientCertificate?: string; readonly clientPrivateKey?: string } {
  const { client_certificate: certificate, client_private_key: privateKey } = given;
  return {
    ...(certificate !== undefined && { clientCertificate: readPem('client_certificate', certificate) }),
    ...(privateKey !== undefined && { clientPrivateKey: readPem('client_private_key', privateKey) }),
  };
}

function missing(given: EnteredApp, { credentials = {} }: ModeInput['definition']): ErrorDetail[] {
  const declared = (['client_certificate', 'client_private_key'] as const).filter((name) => isRequired(credentials[name]));
  const proof = given.client_private_key === undefined ? (['client_secret'] as const) : [];
  const absent = [...declared, ...proof].filter((name) => given[name] === undefined);
  return absent.map((name) => ({ code: 'required', message: `${credentials[name]?.title ?? name} is required`, path: [name] }));
}

function isRequired(field: NonNullable<ModeInput['definition']['credentials']>[string] | undefined): boolean {
  return field !== undefined && field.optional !== true && field.default_value === undefined;
}

function misfits(given: EnteredApp): ErrorDetail[] {
  const { clientCertificate: certificate, clientPrivateKey: privateKey } = storedPem(given);
  if (certificate === undefined) return [];
  if (privateKey !== undefined && isUsableCertificate({ certificate, privateKey })) return [];
  const message = 'client_certificate needs the private key that belongs to it';
  return [{ code: 'invalid_value', message, path: ['client_certificate'] }];
}

function readPem(name: 'client_certificate' | 'client_private_key', text: string): string {
  try {
    return name === 'client_certificate' ? readChain(text) : tidyPem(text, PRIVATE_KEY);
  } catch (cause) {
    if (!(cause instanceof SigningKeyError)) throw cause;
    throw invalid([{ code: 'invalid_format', message: `${name} cannot be used: ${cause.message}`, path: [name] }]);
  }
}

/** Reads a certificate, which may be followed by the certificates of its issuers. */
function readChain(text: string): string {
  const parts = text.split(/(?<=-----END CERTIFICATE-----)/).filter((part) => part.trim() !== '');
  return parts.map((part) => tidyPem(part, CERTIFICATE)).join('');
}

function invalid(details: readonly ErrorDetail[]): ServiceError {
  return new ServiceError('invalid_body', details.map(({ message }) => message).join(' '), { details });
}
