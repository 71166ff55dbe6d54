import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mediaTypeOf } from './media-type.ts';

/** As `Content-Encoding` names them, the better one first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof ENCODINGS;

export interface BuiltFile {
  /** Media type. */
  readonly type: string;
  readonly content: Buffer;
  readonly packed: Readonly<Record<Encoding, Buffer>>;
}

/** What `ui/build.ts` has made for browsers; it is small and held in memory. */
export interface BuiltUi {
  /** By address below the base URL; pages with `.html`. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  readonly sdk: { readonly version: string; readonly integrity: string };
}

interface Manifest {
  readonly folder: string;
  readonly files: Readonly<Record<string, unknown>>;
  readonly sdk: BuiltUi['sdk'];
}

/** @returns undefined where nothing has been built. @throws Error when a file of the manifest is missing or of an unknown kind */
export function readBuiltUi(dist: string): BuiltUi | undefined {
  const manifest = readManifest(dist);
  if (manifest === undefined) return undefined;
  const folder = join(dist, manifest.folder);
  const files = Object.keys(manifest.files).map((name) => [name, readBuiltFile(folder, name)] as const);
  return { files: new Map(files), sdk: manifest.sdk };
}

function readManifest(dist: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function readBuiltFile(folder: string, name: string): BuiltFile {
  const file = join(folder, name);
  const packed = { br: readFileSync(file + ENCODINGS.br), gzip: readFileSync(file + ENCODINGS.gzip) };
  return { type: mediaTypeOf(name), content: readFileSync(file), packed };
}

/** @param accepted the `Accept-Encoding` header. @returns undefined: as it is (RFC 9110 §12.5.3) */
export function preferredEncoding(accepted = ''): Encoding | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => {
        const [coding = '', weight = ''] = one.split(';', 2);
        return [coding.trim(), /^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight)] as const;
      }),
  );
  const isRefused = (coding: string) => weights.get(coding) ?? weights.get('*') ?? true;
  return (Object.keys(ENCODINGS) as Encoding[]).find((coding) => !isRefused(coding));
}
