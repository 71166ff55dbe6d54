import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
// Random nonces of 96 bits allow 2^32 encryptions with one key (NIST SP 800-38D §8.3); rotate keys long before.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Version of the format of envelopes and of proofs. */
const VERSION = 1;
const MAC_PURPOSE = 'svc row authentication';
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The place where a value is stored. The encrypted value (the envelope) is bound to it: copied to another row, column or
 * environment, it cannot be decrypted.
 */
export interface Place {
  readonly table: string;
  readonly column: string;
  readonly environmentId: number;
  readonly rowId: number;
  /** The parent of the row, such as `integration 5`. */
  readonly boundTo?: string;
}

/** The table and the values of a row that are authenticated: see `KeyRing.authenticate`. */
export type Statement = readonly [table: string, ...values: unknown[]];

/**
 * The error for a key ring that cannot be used, or a value that it cannot decrypt. The message names key IDs, never key
 * material or content.
 */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
  readonly code: 'malformed_keys' | 'unknown_key' | 'unreadable_value';

  constructor(code: KeyRingError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Encrypts stored values with AES-256-GCM, and authenticates values that are stored in the clear with HMAC-SHA256. The first
 * key that is not retired encrypts and authenticates; every key decrypts and verifies.
 *
 * Envelope: version (1 byte), length of the key ID (1 byte), key ID, nonce (12 bytes), ciphertext, tag (16 bytes).
 */
export class KeyRing {
  readonly #keys: Map<string, KeyObject>;
  #retired: ReadonlySet<string> = new Set();
  readonly #macKeys = new Map<string, KeyObject>();

  private constructor(keys: Map<string, KeyObject>) {
    this.#keys = keys;
  }

  /** Reads a comma separated list of `id:base64(32 bytes)`. @throws KeyRingError `malformed_keys` for any other text */
  static parse(text: string): KeyRing {
    const keys = new Map<string, KeyObject>();
    for (const [index, item] of text.split(',').entries()) {
      const [id, key] = parseKey(item.trim(), index + 1);
      if (keys.has(id)) throw new KeyRingError('malformed_keys', `key "${id}" is repeated`);
      keys.set(id, key);
    }
    return new KeyRing(keys);
  }

  /** The IDs of all keys, in the order of the list; keys that were added later are at the end. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /**
   * The ID of the key that encrypts. If all keys are retired, it is the first one, because refusing to write could lose data that
   * cannot be obtained again.
   */
  get currentKeyId(): string {
    const { keyIds } = this;
    return keyIds.find((id) => !this.#retired.has(id)) ?? keyIds[0] ?? '';
  }

  /** Sets which keys are retired, that is, only decrypt; all others are not retired. */
  retire(keyIds: Iterable<string>): void {
    this.#retired = new Set(keyIds);
  }

  /**
   * Adds the keys of another ring that this one lacks, at the end of the list.
   *
   * @throws KeyRingError when the rings have different keys with the same ID
   */
  learn(other: KeyRing): void {
    for (const [id, key] of other.#keys) {
      const own = this.#keys.get(id);
      if (own !== undefined && !own.equals(key))
        throw new KeyRingError('malformed_keys', `key "${id}" was replaced by another key with this ID`);
      this.#keys.set(id, own ?? key);
    }
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Encrypts a text for its place. @param keyId ID of a key of the ring. Default: the current one */
  encrypt(plain: string, place: Place, keyId = this.currentKeyId): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key(keyId), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(place, keyId));
    const id = Buffer.from(keyId, 'ascii');
    const ciphertext = [cipher.update(plain, 'utf8'), cipher.final()];
    return Buffer.concat([Buffer.of(VERSION, id.length), id, nonce, ...ciphertext, cipher.getAuthTag()]);
  }

  /**
   * Decrypts an envelope.
   *
   * @throws KeyRingError `unknown_key` when the ring lacks the key; `unreadable_value` when the envelope was changed or belongs
   *   elsewhere
   */
  decrypt(envelope: Buffer, place: Place): string {
    const { keyId, nonce, ciphertext, tag } = open(envelope);
    const decipher = createDecipheriv(ALGORITHM, this.#key(keyId), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(place, keyId));
    decipher.setAuthTag(tag);
    const plain = decipher.update(ciphertext);
    try {
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch {
      throw new KeyRingError(
        'unreadable_value',
        `${place.table}.${place.column} of row ${place.rowId} cannot be decrypted with key "${keyId}"`,
      );
    }
  }

  /**
   * Returns a proof that this service wrote these values: version (1 byte), length of the key ID (1 byte), key ID, HMAC-SHA256
   * (32 bytes) with a key that is derived from the key of that ID.
   *
   * @param statement values that JSON can hold; the order of properties does not count
   */
  authenticate(statement: Statement): Buffer {
    const id = Buffer.from(this.currentKeyId, 'ascii');
    return Buffer.concat([Buffer.of(VERSION, id.length), id, this.#hmac(this.currentKeyId, statement)]);
  }

  /** Returns whether the proof was created for these values. */
  isAuthentic(proof: Buffer | null, statement: Statement): boolean {
    if (proof?.[0] !== VERSION) return false;
    const macAt = 2 + (proof[1] ?? 0);
    const keyId = proof.toString('latin1', 2, macAt);
    if (!this.#keys.has(keyId)) return false;
    const [mac, expected] = [proof.subarray(macAt), this.#hmac(keyId, statement)];
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  }

  #key(keyId: string): KeyObject {
    const key = this.#keys.get(keyId);
    if (key === undefined) throw new KeyRingError('unknown_key', `the key ring has no key "${keyId}"`);
    return key;
  }

  #hmac(keyId: string, statement: Statement): Buffer {
    const known = this.#macKeys.get(keyId);
    const key = known ?? createSecretKey(Buffer.from(hkdfSync('sha256', this.#key(keyId), '', MAC_PURPOSE, KEY_BYTES)));
    this.#macKeys.set(keyId, key);
    return createHmac('sha256', key).update(canonicalJson(statement), 'utf8').digest();
  }
}

/**
 * Returns the bytes that follow the first byte of every value sealed by a key, envelope or proof. Queries use them to find these
 * values.
 *
 * @param keyId as `KeyRing.parse` accepts it
 */
export function sealPrefix(keyId: string): Buffer {
  return Buffer.concat([Buffer.of(keyId.length), Buffer.from(keyId, 'ascii')]);
}

/** Creates a new key, in the form that `KeyRing.parse` reads. */
export function newKeyRingText(keyId = 'k1'): string {
  return `${keyId}:${randomBytes(KEY_BYTES).toString('base64')}`;
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
  if (envelope[0] !== VERSION || tagAt < ciphertextAt || !KEY_ID.test(keyId)) {
    throw new KeyRingError('unreadable_value', 'this is not an encrypted value');
  }
  return {
    keyId,
    nonce: envelope.subarray(nonceAt, ciphertextAt),
    ciphertext: envelope.subarray(ciphertextAt, tagAt),
    tag: envelope.subarray(tagAt),
  };
}

function associatedData({ table, column, environmentId, rowId, boundTo = '' }: Place, keyId: string): Buffer {
  return Buffer.from([table, column, environmentId, rowId, keyId, boundTo].join('|'), 'utf8');
}
