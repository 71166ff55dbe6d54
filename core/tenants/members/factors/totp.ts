import { Secret, TOTP } from 'otpauth';
import { encodeQR } from 'qr';

const ISSUER = 'svc';
/** RFC 4226 §4 R6 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Clocks may differ by one step of 30 seconds (RFC 6238 §5.2). */
const WINDOW = 1;
const CODE = /^[0-9]{6}$/;

/** @returns base32, as people enter it in an app */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What the app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The rows of a QR code, from above, with the light border that cameras need; `1` is dark. */
export function qrRows(text: string): readonly string[] {
  return encodeQR(text, 'raw', { border: 4 }).map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''));
}

/** Six digits of ASCII. */
export function isTotpCode(text: string): boolean {
  return CODE.test(text);
}

/** @returns the time step of a code (RFC 6238 §4.2), undefined when it is wrong. The caller sees to it that no step is used twice. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** SHA-1, six digits and 30 seconds: what all apps know. */
function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
}
