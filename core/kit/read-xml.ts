/** The content of an element: its text, or its child elements by name; several of one name are a list. */
type XmlContent = string | XmlElements;
export interface XmlElements {
  readonly [name: string]: XmlContent | readonly XmlContent[];
}

/**
 * Maximum depth of elements. It exceeds that of any sign-in response, and limits the recursion of later traversal and
 * serialization.
 */
const MAX_DEPTH = 16;
const NAME = '[\\p{L}_:][\\p{L}\\p{M}\\p{N}_:.\\u00b7-]*';
const ATTRIBUTE = `\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`;
/** Matches text, or any markup that may occur in an element (XML 1.0 §2), and so not `<!DOCTYPE`. */
const TOKEN = new RegExp(
  [
    '<!--(?<comment>[^]*?)-->',
    '<!\\[CDATA\\[(?<literal>[^]*?)\\]\\]>',
    '<\\?[^]*?\\?>',
    `</(?<end>${NAME})\\s*>`,
    `<(?<start>${NAME})(?:${ATTRIBUTE})*\\s*(?<empty>/?)>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'yu',
);
const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));|&/gi;
/** The predefined entities (XML 1.0 §4.6); there are no others without a DTD. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
]);
/** Matches a character that XML does not allow (XML 1.0 §2.2). */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

interface OpenElement {
  readonly name: string;
  readonly children: Map<string, XmlContent[]>;
  text: string;
}

class Malformed extends Error {}

/**
 * Reads an XML document as data: attributes, comments, processing instructions, and white space around texts are left out.
 * Nothing is ever expanded or fetched: document type declarations, and all entities except the five predefined ones, are refused.
 *
 * @returns the root element by its name; undefined for a text that is not well-formed, is deeper than 16 elements or has a DTD
 */
export function readXml(text: string): XmlElements | undefined {
  try {
    return readDocument(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function readDocument(source: string): XmlElements {
  if (NOT_XML.test(source)) throw new Malformed();
  const open: OpenElement[] = [emptyElement('')];
  let position = 0;
  while (position < source.length) {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(source);
    if (token === null) throw new Malformed();
    position = TOKEN.lastIndex;
    readToken(open, token.groups ?? {});
  }
  const [document, unclosed] = open;
  const isWhole = document !== undefined && unclosed === undefined && document.text.trim() === '';
  if (!isWhole || [...document.children.values()].flat().length !== 1) throw new Malformed();
  return elementsOf(document);
}

function readToken(open: OpenElement[], { comment, literal, end, start, empty, text }: Record<string, string | undefined>): void {
  const current = open.at(-1);
  if (current === undefined || comment?.includes('--')) throw new Malformed();
  if (literal !== undefined) current.text += literal;
  if (text !== undefined) current.text += withoutReferences(text);
  if (start !== undefined) open.push(emptyElement(start));
  if (open.length > MAX_DEPTH + 1) throw new Malformed();
  if (end !== undefined && end !== current.name) throw new Malformed();
  if (end !== undefined || empty === '/') close(open);
}

function emptyElement(name: string): OpenElement {
  return { name, children: new Map(), text: '' };
}

function close(open: OpenElement[]): void {
  const element = open.pop();
  const parent = open.at(-1);
  if (element === undefined || parent === undefined) throw new Malformed();
  const content = element.children.size === 0 ? element.text.trim() : elementsOf(element);
  const siblings = parent.children.get(element.name);
  if (siblings === undefined) parent.children.set(element.name, [content]);
  else siblings.push(content);
}

/** Returns the child elements as own properties, even if an element is called `__proto__`. */
function elementsOf({ children }: OpenElement): XmlElements {
  return Object.fromEntries(
    Array.from(children, ([name, all]) => [name, all.length === 1 && all[0] !== undefined ? all[0] : all]),
  );
}

function withoutReferences(text: string): string {
  return text.replace(REFERENCE, (_, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = name === undefined ? characterOf(code) : ENTITIES.get(name);
    if (character === undefined || NOT_XML.test(character)) throw new Malformed();
    return character;
  });
}

function characterOf(code: number): string | undefined {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}
