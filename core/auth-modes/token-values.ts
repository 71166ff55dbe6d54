/** Values for `${accessToken}` and `${credentials.token}`; none where there is no token. */
export function tokenValues(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { accessToken: token, 'credentials.token': token };
}
