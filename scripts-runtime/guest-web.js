/** The parts of the web platform that scripts have. Only texts of limited size go to the child and come back. */

import { makeUrlClasses } from './guest-url.js';

/** Names that `makeWeb` adds to the global of the script. */
export const ALLOWED_WEB = Object.freeze(
  'URL URLSearchParams TextEncoder TextDecoder atob btoa setTimeout clearTimeout crypto'.split(' '),
);

const MAX_HASHED_LENGTH = 4 * 1024 * 1024;
const CHUNK = 8_192;
const REPLACEMENT = 0xfffd;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const ANY_TAIL = [0x80, 0xbf];
/** The valid second bytes after some first bytes; others would be overlong forms, surrogates or beyond Unicode. */
const SECOND_BYTES = { 224: [0xa0, 0xbf], 237: [0x80, 0x9f], 240: [0x90, 0xbf], 244: [0x80, 0x8f] };

const { stringify } = JSON;
const { fromCharCode, fromCodePoint } = String;
const text = String;

export function makeWeb({ native, startTimer, stopTimer, report }) {
  return {
    ...makeUrlClasses(native),
    TextEncoder,
    TextDecoder,
    atob,
    btoa,
    setTimeout: (callback, ms = 0, ...args) => startTimer(Number(ms) || 0, () => guarded(report, callback, args)),
    clearTimeout: (id) => stopTimer(id),
    crypto: makeCrypto(native),
  };
}

function guarded(report, callback, args) {
  try {
    callback(...args);
  } catch (error) {
    report(error);
  }
}

/** `encoding` is hex, base64 or base64url. */
function makeCrypto(native) {
  const hash = (key, data, encoding) => {
    const request = stringify([key, binary(data), encoding]);
    if (request.length > MAX_HASHED_LENGTH) throw new RangeError(`more than ${MAX_HASHED_LENGTH} bytes to hash`);
    return native('hash', request);
  };
  return Object.freeze({
    randomUUID: () => native('uuid', ''),
    sha256: (data, encoding = 'hex') => hash(null, data, encoding),
    hmacSha256: (key, data, encoding = 'hex') => hash(binary(key), data, encoding),
  });
}

/** Returns a string with one character for each byte. */
function binary(data) {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data);
  let characters = '';
  for (let at = 0; at < bytes.length; at += CHUNK) characters += fromCharCode.apply(null, bytes.subarray(at, at + CHUNK));
  return characters;
}

class TextEncoder {
  get encoding() {
    return 'utf-8';
  }

  encode(input = '') {
    const wellFormed = text(input).toWellFormed();
    const bytes = new Uint8Array(wellFormed.length * 3);
    let length = 0;
    for (const character of wellFormed) length = encodeInto(bytes, length, character.codePointAt(0));
    return bytes.slice(0, length);
  }
}

function encodeInto(bytes, start, point) {
  if (point < 0x80) {
    bytes[start] = point;
    return start + 1;
  }
  const tail = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  for (let at = tail, rest = point; at > 0; at -= 1, rest >>= 6) bytes[start + at] = 0x80 | (rest & 0x3f);
  bytes[start] = ((0xff << (7 - tail)) & 0xff) | (point >> (6 * tail));
  return start + tail + 1;
}

/** Decodes UTF-8, in one piece. Invalid bytes become U+FFFD as in the Encoding Standard (§4.1), or an error if `fatal` is set. */
class TextDecoder {
  #isFatal;
  #keepsMark;

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    if (!/^\s*(utf-?8|unicode-1-1-utf-8)\s*$/i.test(label)) throw new RangeError(`only utf-8 can be decoded, not ${label}`);
    this.#isFatal = Boolean(fatal);
    this.#keepsMark = Boolean(ignoreBOM);
  }

  get encoding() {
    return 'utf-8';
  }

  decode(input = new Uint8Array()) {
    const bytes = ArrayBuffer.isView(input)
      ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
      : new Uint8Array(input);
    let output = '';
    for (let at = 0; at < bytes.length; ) {
      const [point, length] = decodeAt(bytes, at);
      if (point === undefined && this.#isFatal) throw new TypeError('the bytes are no UTF-8');
      if (at > 0 || point !== 0xfeff || this.#keepsMark) output += fromCodePoint(point ?? REPLACEMENT);
      at += length;
    }
    return output;
  }
}

/** Returns the code point, or undefined for invalid bytes, and how many bytes were read. */
function decodeAt(bytes, at) {
  const first = bytes[at];
  if (first < 0x80) return [first, 1];
  const tail = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
  let point = first & (0x3f >> tail);
  for (let step = 1; step <= tail; step += 1) {
    const [low, high] = step === 1 ? (SECOND_BYTES[first] ?? ANY_TAIL) : ANY_TAIL;
    const byte = bytes[at + step];
    if (byte === undefined || byte < low || byte > high) return [undefined, step];
    point = (point << 6) | (byte & 0x3f);
  }
  return tail === 0 ? [undefined, 1] : [point, tail + 1];
}

function btoa(input) {
  const value = text(input);
  let output = '';
  for (let at = 0; at < value.length; at += 3) {
    const codes = [value.charCodeAt(at), value.charCodeAt(at + 1), value.charCodeAt(at + 2)];
    if (codes.some((code) => code > 0xff)) throw new TypeError('btoa takes characters up to U+00FF');
    const bits = (codes[0] << 16) | (codes[1] << 8) | codes[2];
    const missing = Math.max(0, at + 3 - value.length);
    for (let digit = 0; digit < 4; digit += 1) output += digit > 3 - missing ? '=' : BASE64[(bits >> (18 - 6 * digit)) & 0x3f];
  }
  return output;
}

function atob(input) {
  const value = text(input)
    .replace(/[\t\n\f\r ]/g, '')
    .replace(/={1,2}$/, (padding, at) => ((at + padding.length) % 4 === 0 ? '' : padding));
  if (value.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(value)) throw new TypeError('the text is no base64');
  let output = '';
  let bits = 0;
  for (let at = 0; at < value.length; at += 1) {
    bits = (bits << 6) | BASE64.indexOf(value[at]);
    if (at % 4 > 0) output += fromCharCode((bits >> (6 - 2 * (at % 4))) & 0xff);
  }
  return output;
}
