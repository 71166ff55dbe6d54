/**
 * Returns the addresses at which an authorization server may publish its metadata, in the order of the requests: RFC 8414 §3.1;
 * OpenID Connect Discovery §4 with the well-known part inserted before the issuer's path (RFC 8414 §5), then appended to it; and
 * last the origin, which servers older than RFC 9728 use. Each document must name the requested issuer.
 *
 * @param issuer without query and fragment (RFC 8414 §2)
 */
export function serverMetadataUrls(issuer: URL): readonly string[] {
  const inserted = wellKnownUrl(issuer, 'oauth-authorization-server');
  const openId = wellKnownUrl(issuer, 'openid-configuration');
  const path = withoutEndSlash(issuer.pathname);
  if (path === '') return [inserted, openId];
  const atOrigin = wellKnownUrl(new URL(issuer.origin), 'oauth-authorization-server');
  return [inserted, openId, `${issuer.origin}${path}/.well-known/openid-configuration`, atOrigin];
}

/**
 * Returns the well-known URL of an identifier: the well-known part is inserted between its host and its path (RFC 8414 §3.1, RFC
 * 9728 §3.1).
 */
export function wellKnownUrl(identifier: URL, name: string): string {
  return `${identifier.origin}/.well-known/${name}${withoutEndSlash(identifier.pathname)}`;
}

/** Removes the final slash: "Any terminating "/" MUST be removed" (RFC 8414 §3.1). */
function withoutEndSlash(path: string): string {
  return path.replace(/\/$/, '');
}
