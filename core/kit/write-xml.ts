import { TemplateError } from './template.ts';

/**
 * XML elements by name. A property `@name` is an attribute, a list stands for several elements with the same name, and an empty
 * object for an empty element.
 */
export interface XmlMembers {
  readonly [name: string]: XmlValue;
}
type XmlValue = null | string | number | boolean | XmlMembers | readonly XmlValue[];

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const NAME = /^[A-Za-z_][\w.-]*$/;
/** Matches a character that XML does not allow (XML 1.0 §2.2), or a lone surrogate, which UTF-8 cannot encode. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // These are escaped because an XML reader would replace the literal characters by others (XML 1.0 §2.11 and §3.3.3).
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/**
 * Writes an XML document. Every text is escaped, so that no value can become markup.
 *
 * @throws TemplateError `invalid` for a name or a character that XML does not allow, or if there is not exactly one root element
 */
export function writeXml(document: XmlMembers): string {
  const [[name, root] = ['', null], ...others] = Object.entries(document);
  if (others.length > 0 || Array.isArray(root) || name.startsWith('@')) throw new TemplateError(name, 'invalid');
  return DECLARATION + elements(name, root);
}

function elements(name: string, value: XmlValue): string {
  if (isList(value)) return value.map((item) => elements(name, item)).join('');
  if (!NAME.test(name)) throw new TemplateError(name, 'invalid');
  if (typeof value !== 'object' || value === null) return `<${name}>${escaped(name, value)}</${name}>`;
  const members = Object.entries(value);
  const attributes = members.flatMap(([key, own]) => (key.startsWith('@') ? [attribute(key.slice(1), own)] : []));
  const content = members.flatMap(([key, own]) => (key.startsWith('@') ? [] : [elements(key, own)]));
  return `<${name}${attributes.join('')}>${content.join('')}</${name}>`;
}

function attribute(name: string, value: XmlValue): string {
  if (!NAME.test(name) || (typeof value === 'object' && value !== null)) throw new TemplateError(`@${name}`, 'invalid');
  return ` ${name}="${escaped(name, value)}"`;
}

function escaped(name: string, value: null | string | number | boolean): string {
  const text = value === null ? '' : String(value);
  if (NOT_XML.test(text)) throw new TemplateError(name, 'invalid');
  return text.replace(/[&<>"'\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}

function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value);
}
