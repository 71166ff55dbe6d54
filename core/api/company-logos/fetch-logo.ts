import type { Outbound, OutboundResponse } from '../../kit/outbound.ts';
import { imageTypeOf } from './image-type.ts';

const MAX_LINKS = 100;
const LINK = /<link\s[^<>]{1,1000}>/gi;
const ATTRIBUTE = /\s(rel|href|sizes)=(?:"([^"]{0,900})"|'([^']{0,900})'|([^\s"'<>]{1,900}))/gi;

const MAX_BYTES = 256 * 1024;
/** Timeout of all calls for one icon together, in milliseconds. */
const TOTAL_MS = 10_000;
const CALL_MS = 4_000;
const MAX_REDIRECTS = 3;
const MAX_ICONS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface FetchOptions {
  readonly outbound: Pick<Outbound, 'call'>;
  /** Timeout of all calls for one icon together, in milliseconds. Default: 10,000. */
  readonly totalMs?: number | undefined;
}

interface FetchContext {
  readonly outbound: Pick<Outbound, 'call'>;
  readonly signal: AbortSignal;
  /** Returns whether the fetch may call a host: one of the company's, or that of the operator's service. */
  isOwn(hostname: string): boolean;
}

/**
 * Fetches the icon that a company publishes on its own site; only the domain and its subdomains are called. Undefined if no icon
 * can be fetched.
 */
export async function fetchOwnIcon({ outbound, totalMs = TOTAL_MS }: FetchOptions, domain: string): Promise<Buffer | undefined> {
  const isOwn = (host: string) => host === domain || host.endsWith(`.${domain}`);
  const visit = { outbound, signal: AbortSignal.timeout(totalMs), isOwn };
  for await (const address of iconAddresses(visit, new URL(`https://${domain}/`))) {
    const image = await imageAt(visit, address);
    if (image !== undefined) return image;
  }
  return undefined;
}

/** Fetches an icon from a service that the operator has chosen. @param template the service's URL with `{domain}` */
export function fetchByTemplate(
  { outbound, totalMs = TOTAL_MS }: FetchOptions,
  template: string,
  domain: string,
): Promise<Buffer | undefined> {
  const address = new URL(template.replaceAll('{domain}', encodeURIComponent(domain)));
  const isOwn = (host: string) => host === address.hostname;
  return imageAt({ outbound, signal: AbortSignal.timeout(totalMs), isOwn }, address);
}

async function* iconAddresses(visit: FetchContext, start: URL): AsyncGenerator<URL> {
  const page = await get(visit, start);
  const base = page?.address ?? start;
  const { icons, manifest } = iconLinks(page?.body.toString('utf8') ?? '');
  yield* resolved(icons, base).slice(0, MAX_ICONS);
  const [address] = manifest === undefined ? [] : resolved([manifest], base);
  const listed = address && (await get(visit, address));
  if (listed !== undefined) yield* resolved(manifestIcons(listed.body.toString('utf8')), listed.address).slice(0, MAX_ICONS);
  yield new URL('/favicon.ico', base);
}

function resolved(addresses: readonly string[], base: URL): readonly URL[] {
  return addresses.flatMap((address) => URL.parse(address, base.href) ?? []);
}

async function imageAt(visit: FetchContext, address: URL): Promise<Buffer | undefined> {
  const body = (await get(visit, address))?.body;
  return body !== undefined && body.length <= MAX_BYTES && imageTypeOf(body) !== undefined ? body : undefined;
}

/**
 * Fetches an address, following redirects to hosts that may be called. Undefined after a failure of any kind, since the next
 * address may work.
 */
async function get(visit: FetchContext, start: URL): Promise<{ readonly address: URL; readonly body: Buffer } | undefined> {
  let address = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await callOnce(visit, address);
    if (response === undefined) return undefined;
    const { status, headers, body } = response;
    if (status === 200) return { address, body };
    const next = REDIRECTS.has(status) ? URL.parse(headers['location'] ?? '', address.href) : null;
    if (next === null) return undefined;
    address = next;
  }
  return undefined;
}

async function callOnce({ outbound, signal, isOwn }: FetchContext, address: URL): Promise<OutboundResponse | undefined> {
  if (signal.aborted || address.protocol !== 'https:' || address.port !== '' || !isOwn(address.hostname)) return undefined;
  try {
    return await outbound.call(address.href, { timeoutMs: CALL_MS, maxBytes: MAX_BYTES + 1, beyond: 'cut', signal });
  } catch {
    return undefined;
  }
}

/** The addresses of icons and of the manifest as they are written in a page, the best icon first. */
interface IconLinks {
  readonly icons: readonly string[];
  readonly manifest: string | undefined;
}

interface Link {
  readonly rel: readonly string[];
  readonly href: string;
  readonly pixels: number;
}

/** Finds links in a page's text, which need not be well-formed. Icons for home screens come first: they are large and square. */
export function iconLinks(html: string): IconLinks {
  const links = [...html.matchAll(LINK).take(MAX_LINKS)].flatMap(([tag]) => readLink(tag) ?? []);
  const having = (rel: string) => links.filter((link) => link.rel.includes(rel));
  const touch = [...having('apple-touch-icon'), ...having('apple-touch-icon-precomposed')];
  const icons = having('icon').toSorted((one, other) => other.pixels - one.pixels);
  return { icons: [...touch, ...icons].map(({ href }) => href), manifest: having('manifest')[0]?.href };
}

/** Returns the addresses of a web app manifest's icons, the largest first; none if the text is not a manifest. */
function manifestIcons(text: string): readonly string[] {
  const manifest = parsed(text);
  const icons: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'icons') : undefined;
  if (!Array.isArray(icons)) return [];
  return icons
    .slice(0, MAX_LINKS)
    .flatMap((icon: unknown) => readIcon(icon) ?? [])
    .toSorted((one, other) => other.pixels - one.pixels)
    .map(({ href }) => href);
}

function readLink(tag: string): Link | undefined {
  const members = new Map<string, string>();
  for (const [, name = '', double, single, bare] of tag.matchAll(ATTRIBUTE))
    members.set(name.toLowerCase(), double ?? single ?? bare ?? '');
  const [rel, href] = [members.get('rel'), members.get('href')];
  if (rel === undefined || href === undefined) return undefined;
  const pixels = pixelsOf(members.get('sizes'));
  return { rel: rel.toLowerCase().split(/\s/), href: href.replaceAll('&amp;', '&'), pixels };
}

function readIcon(icon: unknown): Pick<Link, 'href' | 'pixels'> | undefined {
  if (typeof icon !== 'object' || icon === null) return undefined;
  const [src, sizes]: unknown[] = [Reflect.get(icon, 'src'), Reflect.get(icon, 'sizes')];
  return typeof src === 'string' ? { href: src, pixels: pixelsOf(typeof sizes === 'string' ? sizes : undefined) } : undefined;
}

/** Returns the width in a `sizes` attribute such as `180x180`; the first of several sizes counts, and 0 stands for none. */
function pixelsOf(sizes: string | undefined): number {
  return Number(/^(\d{1,4})x/i.exec(sizes ?? '')?.[1] ?? 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
