/** RFC 6750 §2.1. Without a token there is nothing to send. */
export function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}
