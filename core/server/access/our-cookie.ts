interface CookieName {
  readonly name: string;
  readonly baseUrl: string;
}

interface OurCookie extends CookieName {
  readonly value: string;
  /** Undefined: it ends with the browser. */
  readonly maxAgeSeconds?: number | undefined;
}

/** `__Host-` (RFC 6265bis §4.1.3.2) needs https. Lax: links from elsewhere and redirects bring it along. */
export function ourCookie({ value, maxAgeSeconds, ...name }: OurCookie): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = name.baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${fullName(name)}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`;
}

/** Of a request. A name that is there twice is ignored: which one is ours is unknown. */
export function cookieValue(header: string | undefined, name: CookieName): string | undefined {
  const prefix = `${fullName(name)}=`;
  const [found, second] = (header ?? '').split(';').flatMap((pair) => {
    const trimmed = pair.trim();
    return trimmed.startsWith(prefix) ? [trimmed.slice(prefix.length)] : [];
  });
  return second === undefined ? found : undefined;
}

function fullName({ name, baseUrl }: CookieName): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}
