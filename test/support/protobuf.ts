/** The fields of a message by their numbers, without its schema. */
export interface MessageFields {
  /** Returns all values of a repeated field of texts, bytes or messages. */
  all(field: number): readonly Buffer[];
  /** Returns the first value of such a field; empty if the field is absent. */
  bytes(field: number): Buffer;
  /** Returns a whole number; 0 if the field is absent. */
  number(field: number): number;
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** Reads a protobuf message (protobuf.dev/programming-guides/encoding). @throws RangeError for one that is not complete */
export function readFields(message: Buffer): MessageFields {
  const delimited = new Map<number, Buffer[]>();
  const numbers = new Map<number, number>();
  const reader = new WireReader(message);
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const field = Math.floor(tag / 8);
    const type = tag % 8;
    if (type === VARINT) numbers.set(field, reader.varint());
    else if (type === FIXED_64) reader.bytes(8);
    else if (type === FIXED_32) reader.bytes(4);
    else if (type === LENGTH_DELIMITED) delimited.set(field, [...(delimited.get(field) ?? []), reader.bytes(reader.varint())]);
    else throw new RangeError(`unknown wire type ${type}`);
  }
  return {
    all: (field) => delimited.get(field) ?? [],
    bytes: (field) => delimited.get(field)?.[0] ?? Buffer.alloc(0),
    number: (field) => numbers.get(field) ?? 0,
  };
}

class WireReader {
  readonly #message: Buffer;
  #at = 0;

  constructor(message: Buffer) {
    this.#message = message;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#message.length;
  }

  bytes(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#message.length) throw new RangeError('the message ends within a field');
    const bytes = this.#message.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes(1).readUInt8();
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }
}
