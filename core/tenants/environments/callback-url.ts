const MAX_LENGTH = 2048;

/**
 * Whether an address can be a redirect URI: http or https, no user name and password, and no fragment (RFC 6749 §3.1.2), which
 * would keep the response from the server.
 */
export function isCallbackUrl(text: string): boolean {
  if (text.length > MAX_LENGTH || /[\s\p{Cc}]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' && !text.includes('#');
}
