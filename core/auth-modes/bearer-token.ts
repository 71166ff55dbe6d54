/** RFC 6750 §2.1. No header without a token. */
export function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}

/** Values for `${accessToken}` and `${credentials.token}`; none without a token. */
export function tokenValues(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { accessToken: token, 'credentials.token': token };
}
