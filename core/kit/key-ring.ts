import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
// Random nonces of 96 bits allow 2^32 encryptions with one key (NIST SP 800-38D §8.3); rotate long before.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ENVELOPE_VERSION = 1;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Where a value is stored. It is bound to the value: an envelope copied to another row, column or environment cannot be
 * decrypted.
 */
export interface Place {
  readonly table: string;
  readonly column: string;
  readonly environmentId: number;
  readonly rowId: number;
}

/** A key ring that cannot be used, or a value it cannot decrypt. The message names key IDs, never key material or content. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
  readonly code: 'malformed_keys' | 'unknown_key' | 'unreadable_value';

  constructor(code: KeyRingError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Encrypts what is stored, with AES-256-GCM. The first key encrypts, every key decrypts.
 *
 * Envelope: version (1 byte), length of the key ID (1 byte), key ID, nonce (12 bytes), ciphertext, tag (16 bytes).
 */
export class KeyRing {
  readonly currentKeyId: string;
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #currentKey: KeyObject;

  private constructor(keys: ReadonlyMap<string, KeyObject>, current: readonly [string, KeyObject]) {
    this.#keys = keys;
    [this.currentKeyId, this.#currentKey] = current;
  }

  /** Reads a comma separated list of `id:base64(32 bytes)`. @throws KeyRingError `malformed_keys` */
  static parse(text: string): KeyRing {
    const keys = new Map<string, KeyObject>();
    for (const [index, item] of text.split(',').entries()) {
      const [id, key] = parseKey(item.trim(), index + 1);
      if (keys.has(id)) throw new KeyRingError('malformed_keys', `key "${id}" is given twice`);
      keys.set(id, key);
    }
    const [first] = keys;
    if (first === undefined) throw new KeyRingError('malformed_keys', 'there is no key');
    return new KeyRing(keys, first);
  }

  /** In the order they were given. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  encrypt(plain: string, place: Place): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#currentKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(place, this.currentKeyId));
    const id = Buffer.from(this.currentKeyId, 'ascii');
    const ciphertext = [cipher.update(plain, 'utf8'), cipher.final()];
    return Buffer.concat([Buffer.of(ENVELOPE_VERSION, id.length), id, nonce, ...ciphertext, cipher.getAuthTag()]);
  }

  /**
   * @throws KeyRingError `unknown_key` when the ring lacks the key; `unreadable_value` when the envelope was changed or
   *   belongs elsewhere
   */
  decrypt(envelope: Buffer, place: Place): string {
    const { keyId, nonce, ciphertext, tag } = open(envelope);
    const key = this.#keys.get(keyId);
    if (key === undefined) throw new KeyRingError('unknown_key', `the key ring has no key "${keyId}"`);

    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(place, keyId));
    decipher.setAuthTag(tag);
    const plain = decipher.update(ciphertext);
    try {
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch {
      throw new KeyRingError(
        'unreadable_value',
        `${place.table}.${place.column} of row ${place.rowId} does not open with key "${keyId}"`,
      );
    }
  }
}

/** Which key an envelope was encrypted with. @throws KeyRingError `unreadable_value` */
export function keyIdOf(envelope: Buffer): string {
  return open(envelope).keyId;
}

/** One fresh key, in the form that `KeyRing.parse` reads. */
export function newKeyRingText(): string {
  return `k1:${randomBytes(KEY_BYTES).toString('base64')}`;
}

function parseKey(item: string, position: number): [string, KeyObject] {
  const colon = item.indexOf(':');
  const id = item.slice(0, Math.max(colon, 0));
  if (!KEY_ID.test(id)) {
    throw new KeyRingError(
      'malformed_keys',
      `key ${position} has no usable ID; expected id:base64 with an ID of letters, digits, _ and -`,
    );
  }
  const encoded = item.slice(colon + 1);
  if (!BASE64.test(encoded)) throw new KeyRingError('malformed_keys', `key "${id}" is not base64`);

  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES)
    throw new KeyRingError('malformed_keys', `key "${id}" has ${bytes.length} bytes instead of ${KEY_BYTES}`);
  return [id, createSecretKey(bytes)];
}

function open(envelope: Buffer) {
  const nonceAt = 2 + (envelope[1] ?? 0);
  const ciphertextAt = nonceAt + NONCE_BYTES;
  const tagAt = envelope.length - TAG_BYTES;
  const keyId = envelope.toString('latin1', 2, nonceAt);
  if (envelope[0] !== ENVELOPE_VERSION || tagAt < ciphertextAt || !KEY_ID.test(keyId)) {
    throw new KeyRingError('unreadable_value', 'this is not an encrypted value');
  }
  return {
    keyId,
    nonce: envelope.subarray(nonceAt, ciphertextAt),
    ciphertext: envelope.subarray(ciphertextAt, tagAt),
    tag: envelope.subarray(tagAt),
  };
}

function associatedData(place: Place, keyId: string): Buffer {
  return Buffer.from([place.table, place.column, place.environmentId, place.rowId, keyId].join('|'), 'utf8');
}
