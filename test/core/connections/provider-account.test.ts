import { expect } from 'chai';
import { isOtherAccount, isSameAccount, readAccount, shownAccount } from '../../../core/connections/provider-account.ts';

const PATHS = { id: 'user.id', name: 'user.names.0', email: 'user.email', picture: 'user.avatars.48x48' };

/** Fields of a response that describe the user, and the provider account that is read from them; undefined if there is none. */
const READ: readonly [what: string, user: unknown, account: object | undefined][] = [
  [
    'every part',
    { id: 'a-1', names: ['Ada'], email: 'ada@example.com', avatars: { '48x48': 'https://a.example/1.png' } },
    FULL(),
  ],
  ['an ID that is a number', { id: 583_231 }, { id: '583231' }],
  ['nothing but the ID', { id: 'a-1', other: 1 }, { id: 'a-1' }],
  ['no ID', { names: ['Ada'] }, undefined],
  ['an empty ID', { id: '' }, undefined],
  ['an ID of the wrong type', { id: { value: 'a-1' } }, undefined],
  ['an ID that lost digits', { id: 2 ** 60 }, undefined],
  ['an ID that is too long', { id: 'x'.repeat(256) }, undefined],
  ['an ID with a line break', { id: 'a-1\nadmin' }, undefined],
  ['an ID with a NUL', { id: 'a-1\0' }, undefined],
  ['an ID with half a character', { id: 'a-\ud800' }, undefined],
  ['an ID that turns the text around it', { id: 'a-\u202e1' }, undefined],
  ['a name with control characters', { id: 'a-1', names: ['Ada\u0007'] }, { id: 'a-1' }],
  ['a name that turns the text around it', { id: 'a-1', names: ['\u2067Ada'] }, { id: 'a-1' }],
  ['a name that is too long', { id: 'a-1', names: ['x'.repeat(256)] }, { id: 'a-1' }],
  ['a name of the wrong type', { id: 'a-1', names: [['Ada']] }, { id: 'a-1' }],
  ['a name with markup, which is text', { id: 'a-1', names: ['<b>Ada</b>'] }, { id: 'a-1', name: '<b>Ada</b>' }],
  ['an e-mail address that is none', { id: 'a-1', email: 'ada' }, { id: 'a-1' }],
  ['an e-mail address with a header', { id: 'a-1', email: 'ada@example.com\r\nBcc: eve@example.com' }, { id: 'a-1' }],
  ['a picture that is a script', { id: 'a-1', avatars: { '48x48': 'javascript:alert(1)' } }, { id: 'a-1' }],
  ['a picture without TLS', { id: 'a-1', avatars: { '48x48': 'http://a.example/1.png' } }, { id: 'a-1' }],
  ['a picture that is too long', { id: 'a-1', avatars: { '48x48': `https://a.example/${'x'.repeat(2048)}` } }, { id: 'a-1' }],
  ['inherited members', Object.create({ id: 'a-1' }), undefined],
];

function FULL() {
  return { id: 'a-1', name: 'Ada', email: 'ada@example.com', picture: 'https://a.example/1.png' };
}

describe('the account of a connection', () => {
  for (const [what, user, account] of READ)
    it(`is read from a response with ${what}`, () => expect(readAccount({ user }, PATHS)).to.deep.equal(account));

  for (const response of [undefined, null, 'text', 7, [], {}, { user: null }, { user: 'a-1' }, { 'user.id': 'a-1' }])
    it(`is unknown after ${JSON.stringify(response)}`, () => expect(readAccount(response, PATHS)).to.equal(undefined));

  it('is the same or another one only if both are known', () => {
    const [one, other] = [{ id: 'a-1' }, { id: 'a-2' }];
    expect([isSameAccount(one, { ...one, name: 'renamed' }), isOtherAccount(one, { ...one, name: 'renamed' })]).to.deep.equal([
      true,
      false,
    ]);
    expect([isSameAccount(one, other), isOtherAccount(one, other)]).to.deep.equal([false, true]);
    for (const [before, now] of [
      [one, null],
      [null, one],
      [null, null],
    ] as const)
      expect([isSameAccount(before, now), isOtherAccount(before, now)]).to.deep.equal([false, false]);
  });

  it('is another one if the same ID belongs to another server', () => {
    const [one, other] = ['https://one.example', 'https://other.example'].map((origin) => ({ id: '1', origin }));
    expect(isOtherAccount(one ?? null, other ?? null)).to.equal(true);
  });

  it('is shown without the server', () => {
    expect(shownAccount({ id: '1', name: 'Ada', origin: 'https://one.example' })).to.deep.equal({ id: '1', name: 'Ada' });
    expect(shownAccount(null)).to.equal(null);
  });
});
