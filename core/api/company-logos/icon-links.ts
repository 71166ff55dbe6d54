const MAX_LINKS = 100;
const LINK = /<link\s[^<>]{1,1000}>/gi;
const ATTRIBUTE = /\s(rel|href|sizes)=(?:"([^"]{0,900})"|'([^']{0,900})'|([^\s"'<>]{1,900}))/gi;

/** What a page says of its icons: addresses as they are written, the best first. */
export interface IconLinks {
  readonly icons: readonly string[];
  readonly manifest: string | undefined;
}

interface Link {
  readonly rel: readonly string[];
  readonly href: string;
  readonly pixels: number;
}

/** Finds links in a page's text, which need not be well-formed. Those for home screens come first: they are large and square. */
export function iconLinks(html: string): IconLinks {
  const links = [...html.matchAll(LINK).take(MAX_LINKS)].flatMap(([tag]) => readLink(tag) ?? []);
  const having = (rel: string) => links.filter((link) => link.rel.includes(rel));
  const touch = [...having('apple-touch-icon'), ...having('apple-touch-icon-precomposed')];
  const icons = having('icon').toSorted((one, other) => other.pixels - one.pixels);
  return { icons: [...touch, ...icons].map(({ href }) => href), manifest: having('manifest')[0]?.href };
}

/** The icons of a web app manifest, the largest first. Anything else has none. */
export function manifestIcons(text: string): readonly string[] {
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

/** Of `180x180`, or of the first of several. */
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
