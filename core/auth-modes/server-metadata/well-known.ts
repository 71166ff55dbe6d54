/**
 * Where an authorization server may publish its metadata, in the order in which it is asked: RFC 8414 §3.1, then OpenID
 * Connect Discovery §4 with the well-known part inserted before the issuer's path (RFC 8414 §5) and appended to it.
 *
 * @param issuer without query and fragment (RFC 8414 §2)
 */
export function serverMetadataUrls(issuer: URL): readonly string[] {
  const inserted = wellKnownUrl(issuer, 'oauth-authorization-server');
  const openId = wellKnownUrl(issuer, 'openid-configuration');
  const path = withoutEndSlash(issuer.pathname);
  return path === '' ? [inserted, openId] : [inserted, openId, `${issuer.origin}${path}/.well-known/openid-configuration`];
}

/** The well-known URL of an identifier: inserted between its host and its path (RFC 8414 §3.1, RFC 9728 §3.1). */
export function wellKnownUrl(identifier: URL, name: string): string {
  return `${identifier.origin}/.well-known/${name}${withoutEndSlash(identifier.pathname)}`;
}

/** "Any terminating "/" MUST be removed" (RFC 8414 §3.1). */
function withoutEndSlash(path: string): string {
  return path.replace(/\/$/, '');
}
