import { expect } from 'chai';
import { readTags } from '../../../core/connections/tags.ts';
import { ServiceError } from '../../../core/errors.ts';

const SOURCE = { code: 'invalid_body', path: ['tags'] } as const;
const tenKeys = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`key${index}`, 'v']));

const GOOD: Readonly<Record<string, Record<string, string>>> = {
  'no tag': {},
  'ten keys': tenKeys,
  'a key of one letter': { a: 'v' },
  'a key of 64 characters': { [`a${'b'.repeat(63)}`]: 'v' },
  'every allowed character in a key': { 'a1_-./z': 'v' },
  'a value of one character': { a: ' ' },
  'a value of 255 characters': { a: 'v'.repeat(255) },
  'any characters in a value': { a: 'ü 🦊 "\'<>\n' },
  'an e-mail address': { end_user_email: 'ada+test@mail.example.org' },
  'a member of every object as key': { toString: 'v', hasOwnProperty: 'v' },
};

/** For each rule of tags: tags that break it, and the code and path of the error. */
const BAD: Readonly<Record<string, readonly [Record<string, string>, string, readonly string[]]>> = {
  '1: two keys that differ only in case': [{ Key: 'a', key: 'b' }, 'duplicate_key', ['tags', 'key']],
  '2: a key that begins with a digit': [{ '1a': 'v' }, 'invalid_key', ['tags', '1a']],
  '2: a key that begins with a hyphen': [{ '-a': 'v' }, 'invalid_key', ['tags', '-a']],
  '2: a key with a space': [{ 'a b': 'v' }, 'invalid_key', ['tags', 'a b']],
  '2: a key with an umlaut': [{ aü: 'v' }, 'invalid_key', ['tags', 'aü']],
  '2: a letter whose lower case is in ASCII': [{ '\u212a': 'v' }, 'invalid_key', ['tags', '\u212a']],
  '2: a key with a line feed at its end': [{ 'a\n': 'v' }, 'invalid_key', ['tags', 'a\n']],
  '3: an empty key': [{ '': 'v' }, 'invalid_key', ['tags', '']],
  '3: a key of 65 characters': [{ ['a'.repeat(65)]: 'v' }, 'too_big', ['tags']],
  '4: eleven keys': [{ ...tenKeys, more: 'v' }, 'too_big', ['tags']],
  '5: an empty value': [{ a: '' }, 'too_small', ['tags', 'a']],
  '5: a value of 256 characters': [{ a: 'v'.repeat(256) }, 'too_big', ['tags', 'a']],
  '6: an e-mail address without a domain': [{ end_user_email: 'ada' }, 'invalid_format', ['tags', 'end_user_email']],
  '6: an e-mail address without a dot': [{ end_user_email: 'ada@host' }, 'invalid_format', ['tags', 'end_user_email']],
  '6: two e-mail addresses': [{ end_user_email: 'a@b.c,d@e.f' }, 'invalid_format', ['tags', 'end_user_email']],
  '6: an e-mail address under another case of the key': [{ End_User_Email: 'ada' }, 'invalid_format', ['tags', 'End_User_Email']],
};

function faultsOf(tags: Record<string, string>) {
  try {
    readTags(tags, SOURCE);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_body') return error.details;
    throw error;
  }
  return [];
}

describe('tags', () => {
  for (const [what, tags] of Object.entries(GOOD)) {
    it(`take ${what}`, () => {
      expect(Object.keys(readTags(tags, SOURCE))).to.have.length(Object.keys(tags).length);
    });
  }

  it('have keys in lower case and unchanged values', () => {
    expect(readTags({ 'Org.ID': 'ACME' }, SOURCE)).to.deep.equal({ 'org.id': 'ACME' });
  });

  for (const [rule, [tags, code, path]] of Object.entries(BAD)) {
    it(`refuse, by rule ${rule}`, () => {
      const faults = faultsOf(tags);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.include({ code }).and.to.deep.include({ path });
    });
  }

  it('name every fault', () => {
    expect(faultsOf({ a: '', '1': 'v', end_user_email: 'x' })).to.have.length(3);
  });
});
