import { Secret, TOTP } from 'otpauth';
import { encodeQR } from 'qr';

const ISSUER = 'svc';
/** RFC 4226 §4 R6 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Number of time steps of 30 seconds by which clocks may differ (RFC 6238 §5.2). */
const WINDOW = 1;
const CODE = /^[0-9]{6}$/;

/** @returns a new secret in base32, the form in which people enter it in an app */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the `otpauth:` URI that an app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** Returns the rows of a QR code, top to bottom, with the light border that cameras need; `1` is dark. */
export function qrRows(text: string): readonly string[] {
  return encodeQR(text, 'raw', { border: 4 }).map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''));
}

/** Returns whether a text consists of six ASCII digits. */
export function isTotpCode(text: string): boolean {
  return CODE.test(text);
}

/**
 * @returns the time step of a code (RFC 6238 §4.2); undefined when it is wrong. The caller must refuse a step that was used
 *   before.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** SHA-1, six digits and 30 seconds are the parameters that all apps support. */
function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
}
