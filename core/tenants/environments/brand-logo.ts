import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import type { BrandLogo, LogoType } from './brand.ts';
import type { ConnectSettingsChanges } from './connect-settings-store.ts';

export const MAX_LOGO_BYTES = 262_144;

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

/**
 * Returns the type of a logo by its content, since a file name proves nothing; undefined if it is neither PNG nor WebP. Only
 * raster images are allowed, since others may contain scripts.
 */
function logoTypeOf(bytes: Buffer): LogoType | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'png';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 15) === 'WEBPVP8';
  return isWebp ? 'webp' : undefined;
}

/** Returns the address parts for these bytes. They include a hash, so the content at an address never changes. */
function addressOf(bytes: Buffer, type: LogoType): BrandLogo {
  return { hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32), type };
}

/**
 * Returns the settings that store a logo.
 *
 * @param name names the logo in the error message
 * @throws ServiceError `invalid_body` when it is neither PNG nor WebP
 */
export function logoChanges(bytes: Buffer, name: string): ConnectSettingsChanges {
  const type = logoTypeOf(bytes);
  if (type === undefined) throw new ServiceError('invalid_body', `${name} is neither PNG nor WebP`);
  return { brand_logo: bytes, brand_logo_type: type, brand_logo_hash: addressOf(bytes, type).hash };
}

export const NO_LOGO: ConnectSettingsChanges = { brand_logo: null, brand_logo_type: null, brand_logo_hash: null };
