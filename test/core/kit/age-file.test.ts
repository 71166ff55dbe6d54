import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { AgeFileError, decryptAge, encryptAge } from '../../../core/kit/age-file.ts';
import { quickAgeFile } from '../../support/age-file.ts';

const SECRET = 'a passphrase of some length';
const CHUNK = 64 * 1024;
const CHUNK_ON_DISK = CHUNK + 16;
/** A file that the package `age-encryption` 0.3.1 has encrypted. */
const BY_ANOTHER =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBNUzdYMTZHckFDYTlnYXRMdWI0SzR3IDEwCkJVYnV0RW1EVU15ODNGNXVFazBEaEZoNkwyc2xnTXlPNlFVcm' +
  'xUUmFsbmcKLS0tIGFqdGdBaWI4Y0MrWU5uTGY0amxmNTY5OTdQdmMxM2VIK3BwTHQxS0JOR3cKmu8HlglLUjoOXMp1szHNtfWgC/XNjszfr/L3mF6LsRgvY2S1mnmF' +
  '2efFA0mEsLvhYgLUjmMaQS877m2cgK0=';

describe('a file in the age format', function () {
  this.timeout(60_000);
  const plain = randomBytes(2 * CHUNK + 100);
  let file: Buffer;
  let payloadAt: number;

  before(() => {
    file = quickAgeFile(plain, SECRET);
    payloadAt = file.length - (2 * CHUNK_ON_DISK + 116);
  });

  for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1])
    it(`gives back ${size} bytes`, async () => {
      const content = randomBytes(size);
      const encrypted = await all(encryptAge(pieces(content, 60_000), SECRET));
      expect((await all(decryptAge(pieces(encrypted, 7_777), SECRET))).equals(content)).to.equal(true);
    });

  it('has the chunks that the format asks for', async () => {
    const encrypted = await all(encryptAge(pieces(plain, 1_000), SECRET));
    expect(encrypted.length).to.equal(file.length);
    expect((await all(decryptAge(pieces(file, 10_000), SECRET))).equals(plain)).to.equal(true);
  });

  it('opens if another implementation has created it', async () => {
    const opened = await all(decryptAge(pieces(Buffer.from(BY_ANOTHER, 'base64'), 10), SECRET));
    expect(opened.toString()).to.equal('made by another implementation');
  });

  it('does not open with another passphrase', () => refused(file, 'does not open with this key', 'another passphrase'));

  it('is refused when it has another format or demands too much work', async () => {
    await refused(Buffer.from('{"kind":"header"}\n'), 'not a file that was encrypted');
    await refused(Buffer.alloc(0), 'not a file that was encrypted');
    const text = file.toString('latin1').replace(/(-> scrypt \S+) 10/, '$1 30');
    await refused(Buffer.from(text, 'latin1'), 'work factor of the file is too high');
  });

  it('is refused when it was cut off anywhere, also between two chunks', async () => {
    const ends = [payloadAt, payloadAt + CHUNK_ON_DISK, payloadAt + 2 * CHUNK_ON_DISK, file.length - 1, payloadAt + 100];
    for (const end of ends) await refused(file.subarray(0, end), 'changed or truncated');
  });

  it('is refused when a byte was changed, a chunk moved, or something added', async () => {
    for (const at of [payloadAt + 5, payloadAt + CHUNK_ON_DISK + 5, file.length - 1]) {
      const changed = Buffer.from(file);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      await refused(changed, 'changed or truncated');
    }
    const [head, first, second] = [0, payloadAt, payloadAt + CHUNK_ON_DISK].map((from, index, all) =>
      file.subarray(from, all[index + 1] ?? from + CHUNK_ON_DISK),
    );
    const rest = file.subarray(payloadAt + 2 * CHUNK_ON_DISK);
    const moved = [head, second, first, rest].map((part) => part ?? Buffer.alloc(0));
    await refused(Buffer.concat(moved), 'changed or truncated');
    await refused(Buffer.concat([file, Buffer.alloc(20)]), 'changed or truncated');
  });
});

async function refused(file: Buffer, reason: string, secret = SECRET): Promise<void> {
  const error = await all(decryptAge(pieces(file, 10_000), secret)).catch((cause: unknown) => cause);
  expect(error).to.be.instanceOf(AgeFileError);
  expect(String(error)).to.contain(reason);
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function all(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const part of parts) read.push(part);
  return Buffer.concat(read);
}
