import { expect } from 'chai';
import { readXml } from '../../../core/kit/read-xml.ts';
import { TemplateError } from '../../../core/kit/template.ts';
import { writeXml, type XmlMembers } from '../../../core/kit/write-xml.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

const WRITTEN: Readonly<Record<string, readonly [document: XmlMembers, xml: string]>> = {
  'a text': [{ a: 'b' }, '<a>b</a>'],
  'numbers, booleans, nothing': [{ a: { b: 1.5, c: false, d: null, e: {} } }, '<a><b>1.5</b><c>false</c><d></d><e></e></a>'],
  attributes: [{ a: { '@b': 'c', '@d': 1, e: 'f' } }, '<a b="c" d="1"><e>f</e></a>'],
  lists: [{ a: { b: [1, { c: 2 }] } }, '<a><b>1</b><b><c>2</c></b></a>'],
  'an empty list': [{ a: { b: [] } }, '<a></a>'],
};

const REFUSED: Readonly<Record<string, XmlMembers>> = {
  'no root': {},
  'two roots': { a: 1, b: 2 },
  'a list as the root': { a: [1, 2] },
  'an attribute as the root': { '@a': 1 },
  'a name with markup': { 'a><b': 1 },
  'an empty name': { a: { '': 1 } },
  'an attribute that ends its tag': { a: { '@b="c"><d': 1 } },
  'an attribute with elements': { a: { '@b': { c: 1 } } },
  'a control character': { a: '\u0001' },
  'a lone surrogate': { a: '\ud800' },
};

const HOSTILE = [
  '</a><b>',
  '"><b c="',
  "' or '1'='1",
  '&amp;',
  '&#60;',
  ']]>',
  '<!--',
  '<![CDATA[',
  '\r\n\t',
  '<!DOCTYPE a>',
  '${a}',
  '😀ß',
];

describe('writeXml', () => {
  for (const [what, [document, xml]] of Object.entries(WRITTEN)) {
    it(`writes ${what}`, () => expect(writeXml(document)).to.equal(HEAD + xml));
  }

  for (const [what, document] of Object.entries(REFUSED)) {
    it(`refuses ${what}`, () => expect(() => writeXml(document)).to.throw(TemplateError));
  }

  for (const value of HOSTILE) {
    it(`keeps ${JSON.stringify(value)} a value, as text and in an attribute`, () => {
      const xml = writeXml({ a: { '@b': value, c: `x${value}x` } });
      expect(readXml(xml)).to.deep.equal({ a: { c: `x${value}x` } });
      expect(xml.slice(HEAD.length).match(/[<>]/g)).to.have.length(8);
    });
  }
});
