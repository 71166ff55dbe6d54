/** RFC 6750 §2.1. Without a token there is nothing to send. */
export function bearer(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
}

/** Values for `${accessToken}` and `${credentials.token}`; none where there is no token. */
export function tokenValues(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { accessToken: token, 'credentials.token': token };
}
