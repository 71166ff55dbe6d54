/** Returns whether percent-encoded text can be decoded: each % begins an escape, and the bytes are UTF-8 (RFC 3986 §2.1). */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
