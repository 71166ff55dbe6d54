import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encodes a value as CBOR (RFC 8949 §3) as far as WebAuthn needs it: positive and negative integers, bytes, texts, maps. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as Buffer)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

function head(type: number, size: number): Buffer {
  const major = type << 5;
  if (size < 24) return Buffer.from([major | size]);
  return size < 256 ? Buffer.from([major | 24, size]) : Buffer.from([major | 25, size >> 8, size & 255]);
}

const USER_PRESENT = 0x01;
const NEW_CREDENTIAL = 0x40;

interface Ceremony {
  readonly challenge: string;
  /** The origin of the page that asks for the passkey. */
  readonly origin: string;
  readonly rpId?: string;
}

export interface AuthenticatorOptions {
  /** The signature counter to report; default: one more than before. */
  counter?: number;
  /** If set, a new credential is attested (WebAuthn §8), with this value as the certificates. */
  attested?: Buffer;
}

/**
 * A software authenticator (WebAuthn §6). It can lie about the page's origin, which a browser would not allow, and about the
 * counter.
 */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  counter = 1;

  /** Returns what `navigator.credentials.create()` would resolve with. */
  register({ challenge, origin, rpId = new URL(origin).hostname }: Ceremony, { attested }: AuthenticatorOptions = {}) {
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' });
    const point = [x, y].map((text) => Buffer.from(text, 'base64url'));
    const cose = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point[0]],
      [-3, point[1]],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, cbor(cose)]);
    const authData = Buffer.concat([this.#authData(rpId, USER_PRESENT | NEW_CREDENTIAL), credential]);
    const clientData = clientDataOf('webauthn.create', { challenge, origin });
    const statement = new Map<string, unknown>(
      attested === undefined
        ? []
        : [
            ['alg', -7],
            ['sig', this.#sign(authData, clientData)],
            ['x5c', attested],
          ],
    );
    const object = new Map<string, unknown>([
      ['fmt', attested === undefined ? 'none' : 'packed'],
      ['attStmt', statement],
      ['authData', authData],
    ]);
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: cbor(object).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Returns what `navigator.credentials.get()` would resolve with. */
  assert({ challenge, origin, rpId = new URL(origin).hostname }: Ceremony, { counter }: AuthenticatorOptions = {}) {
    this.counter = counter ?? this.counter + 1;
    const authData = this.#authData(rpId, USER_PRESENT);
    const clientData = clientDataOf('webauthn.get', { challenge, origin });
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: this.#sign(authData, clientData).toString('base64url'),
    });
  }

  #credential<T>(response: T) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #authData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), counter]);
  }

  #sign(authData: Buffer, clientData: Buffer): Buffer {
    return sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#pair.privateKey);
  }
}

function clientDataOf(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
