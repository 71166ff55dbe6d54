import { expect } from 'chai';
import type { HeaderPairs } from '../../../../core/auth-modes/aws-sigv4/canonical-request.ts';
import { authorizationOf, hexSha256 } from '../../../../core/auth-modes/aws-sigv4/signature.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const FORM = 'application/x-www-form-urlencoded';
const EMPTY = hexSha256('');

interface Covered {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderPairs;
  readonly body?: string;
}
type Vector = readonly [name: string, request: Covered, signature: string];

/** Vectors of the "AWS Signature Version 4 test suite": `example.amazonaws.com`, service `service`, 2015-08-30T12:36:00Z. */
const SUITE: readonly Vector[] = [
  ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-vanilla-query-order-key-case',
    { target: '/?Param2=value2&Param1=value1' },
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-unreserved',
    { target: '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' },
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  ['get-utf8', { target: '/\u1234' }, '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
  ['get-slashes', { target: '//example//' }, '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84'],
  ['get-slash-pointless-dot', { target: '/./example' }, 'ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5'],
  [
    'get-relative-relative',
    { target: '/example1/example2/../..' },
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'post-x-www-form-urlencoded',
    { method: 'POST', headers: [['content-type', FORM]], body: 'Param1=value1' },
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
];

/** Vectors of "Authenticating Requests (AWS Signature Version 4)" in Amazon S3's documentation: `examplebucket`, 2013-05-24. */
const OBJECT_STORE: readonly Vector[] = [
  [
    'GET Object',
    { target: '/test.txt', headers: [['range', 'bytes=0-9']] },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT Object, whose name is escaped',
    {
      method: 'PUT',
      target: '/test$file.text',
      headers: [
        ['date', 'Fri, 24 May 2013 00:00:00 GMT'],
        ['x-amz-storage-class', 'REDUCED_REDUNDANCY'],
      ],
      body: 'Welcome to Amazon S3.',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET Bucket Lifecycle, a parameter without a value',
    { target: '/?lifecycle' },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'GET Bucket (List Objects)',
    { target: '/?prefix=J&max-keys=2' },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

function suiteSignature({ method = 'GET', target = '/', headers = [], body = '' }: Covered): string {
  const common: HeaderPairs = [
    ['host', 'example.amazonaws.com'],
    ['x-amz-date', '20150830T123600Z'],
  ];
  const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET };
  const signing = { key, service: 'service', region: 'us-east-1', at: new Date('2015-08-30T12:36:00Z') };
  return authorizationOf({ method, target, headers: [...headers, ...common], payloadHash: hexSha256(body) }, signing);
}

function storeSignature({ method = 'GET', target = '/', headers = [], body = '' }: Covered): string {
  const payloadHash = hexSha256(body);
  const common: HeaderPairs = [
    ['host', 'examplebucket.s3.amazonaws.com'],
    ['x-amz-content-sha256', payloadHash],
    ['x-amz-date', '20130524T000000Z'],
  ];
  const key = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: SECRET.replace('+', '/') };
  const signing = { key, service: 's3', region: 'us-east-1', at: new Date('2013-05-24T00:00:00Z') };
  return authorizationOf({ method, target, headers: [...headers, ...common], payloadHash }, signing);
}

/** Pairs of spellings of the same query, which must get the same signature. */
const SAME: readonly (readonly [what: string, one: string, other: string])[] = [
  ['the order of parameters', '/?b=1&a=2&a=1', '/?a=1&a=2&b=1'],
  ['escapes in lower case', '/?a=%c3%a9', '/?a=%C3%A9'],
  ['what need not be escaped', '/?a%2Db=%7E', '/?a-b=~'],
  ['how a space is escaped', '/?a=b+c', '/?a=b%20c'],
  ['a missing equals sign', '/?a&b', '/?a=&b='],
];

describe('AWS Signature Version 4', () => {
  for (const [name, request, signature] of SUITE) {
    it(`signs as in the test suite: ${name}`, () => expect(suiteSignature(request)).to.match(new RegExp(`=${signature}$`)));
  }

  for (const [name, request, signature] of OBJECT_STORE) {
    it(`signs as in the documentation of Amazon S3: ${name}`, () =>
      expect(storeSignature(request)).to.match(new RegExp(`=${signature}$`)));
  }

  it('signs as in the example of the IAM user guide, with the names of the signed headers', () => {
    const headers: HeaderPairs = [
      ['content-type', `${FORM}; charset=utf-8`],
      ['host', 'iam.amazonaws.com'],
      ['x-amz-date', '20150830T123600Z'],
    ];
    const request = { method: 'GET', target: '/?Action=ListUsers&Version=2010-05-08', headers, payloadHash: EMPTY };
    const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET };
    const signing = { key, service: 'iam', region: 'us-east-1', at: new Date('2015-08-30T12:36:00Z') };
    expect(authorizationOf(request, signing)).to.equal(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, ' +
        'SignedHeaders=content-type;host;x-amz-date, ' +
        'Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    );
  });

  for (const [what, one, other] of SAME) {
    it(`does not depend on ${what} in a query`, () =>
      expect(suiteSignature({ target: one })).to.equal(suiteSignature({ target: other })));
  }

  it('escapes the path once more as it was sent, except in S3', () => {
    expect(suiteSignature({ target: '/a%20b' })).to.not.equal(suiteSignature({ target: '/a b' }));
    expect(storeSignature({ target: '/a%20b' })).to.equal(storeSignature({ target: '/a b' }));
    expect(storeSignature({ target: '/a//../b' })).to.not.equal(storeSignature({ target: '/b' }));
  });

  it('joins the values of a repeated header and collapses spaces', () => {
    const headers = (...values: readonly string[]): HeaderPairs => values.map((value) => ['x-amz-meta', value] as const);
    expect(suiteSignature({ headers: headers(' a   b ', 'c') })).to.equal(suiteSignature({ headers: headers('a b,c') }));
    expect(suiteSignature({ headers: headers('c', 'a b') })).to.not.equal(suiteSignature({ headers: headers('a b', 'c') }));
  });
});
