import { createHash } from 'node:crypto';
import type { BrandLogo, LogoType } from './brand.ts';

export const MAX_LOGO_BYTES = 262_144;

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

/** By content: a name says nothing. Raster images only, since others may contain scripts. Undefined: neither PNG nor WebP. */
export function logoTypeOf(bytes: Buffer): LogoType | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'png';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 15) === 'WEBPVP8';
  return isWebp ? 'webp' : undefined;
}

/** The address of these bytes, which therefore never change. */
export function addressOf(bytes: Buffer, type: LogoType): BrandLogo {
  return { hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32), type };
}
