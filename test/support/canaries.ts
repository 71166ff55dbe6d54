import { randomBytes } from 'node:crypto';

const CANARY_LENGTH = 40;
const KEY_BYTES = 4;
/** The minimum length of a secret in characters. Shorter texts would be found by chance. */
const MIN_LENGTH = 8;

/** A remembered secret that a sweep has found in a text. It has the secret's name, never its value, so that it can be printed. */
export interface Hit {
  readonly place: string;
  readonly secret: string;
  readonly form: string;
  /** The test file that created or remembered the secret. */
  readonly file: string;
}

export type SweptText = string | Uint8Array;

interface Needle extends Omit<Hit, 'place'> {
  readonly bytes: Buffer;
  /** Bytes five to eight, compared before the rest: the first four may match everywhere in a text of one repeated letter. */
  readonly next: number;
}

/** The test file that is running. Several files may share a service, so each secret is stored with the file that created it. */
let file = '';
const remembered = new Set<string>();
/** All forms of all secrets by their first four bytes, so that one pass over a text searches for all of them. */
const needles = new Map<number, Needle[]>();
/** Secrets whose forms are not in `needles` yet. */
let unindexed: { readonly value: string; readonly secret: string; readonly file: string }[] = [];

/**
 * Creates a secret of 40 characters, which all later sweeps of the run search for.
 *
 * It is valid as a bearer token (RFC 6750 `b64token`). It contains characters that URL and JSON encoders escape, so that a test
 * fails if the service encodes a secret wrongly.
 */
export function canary(name: string): string {
  const letters = randomBytes(CANARY_LENGTH).toString('base64url').replaceAll(/[-_]/g, 'x');
  const value = `${letters.slice(0, 12)}+${letters.slice(12, 20)}/${letters.slice(20, 38)}`;
  return rememberSecret(name, value);
}

/** Attributes all secrets from now on to this test file. */
export function secretsAreOf(testFile: string): void {
  file = testFile;
}

/** Makes all later sweeps search for a secret that was created elsewhere, such as an API key or a session token. @returns it */
export function rememberSecret(name: string, value: string): string {
  if (value.length < MIN_LENGTH) throw new RangeError(`${name} is too short to be searched for`);
  if (!remembered.has(value)) unindexed.push({ value, secret: name, file });
  remembered.add(value);
  return value;
}

/**
 * Finds every remembered secret, plain or encoded, in these texts.
 *
 * @param places a text or a list of texts by the name of its place; for a list, hits have the index after the name
 */
export function sweep(places: Readonly<Record<string, SweptText | readonly SweptText[]>>): Hit[] {
  indexNeedles();
  return Object.entries(places).flatMap(([place, texts]) =>
    isList(texts) ? texts.flatMap((text, index) => search(`${place}[${index}]`, text)) : search(place, texts),
  );
}

function isList(texts: SweptText | readonly SweptText[]): texts is readonly SweptText[] {
  return Array.isArray(texts);
}

/** Adds the forms of new secrets to `needles`, once for each secret, no matter how many sweeps follow. */
function indexNeedles(): void {
  for (const { value, ...source } of unindexed) {
    for (const [text, form] of formsOf(value)) {
      const bytes = Buffer.from(text);
      const key = bytes.readUInt32BE(0);
      const needle = { ...source, form, bytes, next: bytes.readUInt32BE(KEY_BYTES) };
      const sameStart = needles.get(key);
      if (sameStart === undefined) needles.set(key, [needle]);
      else sameStart.push(needle);
    }
  }
  unindexed = [];
}

function search(place: string, text: SweptText): Hit[] {
  const haystack = Buffer.from(text);
  const hits = new Map<string, Hit>();
  let key = 0;
  for (let end = 0; end < haystack.length; end += 1) {
    key = ((key << 8) | (haystack[end] ?? 0)) >>> 0;
    for (const { bytes, next, ...found } of needles.get(key) ?? []) {
      const start = end - KEY_BYTES + 1;
      if (start + bytes.length > haystack.length || haystack.readUInt32BE(start + KEY_BYTES) !== next) continue;
      if (haystack.subarray(start, start + bytes.length).equals(bytes))
        hits.set(`${found.secret} ${found.form} ${found.file}`, { place, ...found });
    }
  }
  return [...hits.values()];
}

/** Returns every text in which a secret may appear, with the name of its encoding. Several encodings may yield the same text. */
function formsOf(value: string): Map<string, string> {
  const hex = Buffer.from(value).toString('hex');
  const json = JSON.stringify(value).slice(1, -1);
  const forms = new Map<string, string>([
    [hex, 'hex'],
    [hex.toUpperCase(), 'hex'],
    [encodeURIComponent(value), 'URL-encoded'],
    [lowerCaseEscapes(encodeURIComponent(value)), 'URL-encoded'],
    [new URLSearchParams({ v: value }).toString().slice(2), 'URL-encoded'],
    [json, 'JSON-escaped'],
    [json.replaceAll('/', '\\/'), 'JSON-escaped'],
  ]);
  for (const alignment of [0, 1, 2]) {
    const base64 = alignedBase64(value, alignment);
    forms.set(base64.replaceAll('+', '-').replaceAll('/', '_'), 'base64url');
    forms.set(base64, 'base64');
  }
  return forms.set(value, 'plain');
}

function lowerCaseEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** Returns those base64 characters of an encoded text that depend only on the secret in it, and not on what surrounds it. */
function alignedBase64(value: string, bytesBefore: number): string {
  const bytes = Buffer.concat([Buffer.alloc(bytesBefore), Buffer.from(value)]);
  const firstOwn = Math.ceil((bytesBefore * 8) / 6);
  return bytes.toString('base64').slice(firstOwn, Math.floor((bytes.length * 8) / 6));
}
