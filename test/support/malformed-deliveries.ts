import type { CaseDelivery, Json } from '#contract';
import type { SeededRandom } from './seeded-random.ts';
import { words } from './words.ts';

/** The part of a genuine delivery that was replaced. */
export type Part = 'signature' | 'body' | 'rest';

export interface MalformedDelivery {
  readonly part: Part;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The query, without its question mark. */
  readonly search: string;
}

/** Texts to send in place of a signature, an ID or a type. All of them are valid values of HTTP headers. */
const TEXTS: readonly string[] = [
  ...words`
    0 -1 null undefined true sha256= v0= t=,v1= t=NaN,v1=00 ,,,,,, ===== % %E0%A4%A $(x) "quoted" eyJhbGciOiJub25lIn0.. __proto__
    constructor
  `,
  '',
  ' ',
  '[object Object]',
  '\u00ff\u00fe',
  'Bearer a.b.c',
  '9'.repeat(400),
  '0'.repeat(64),
  'A'.repeat(43),
  `${'A'.repeat(43)}=`,
  'v1=0,'.repeat(1_000),
  'a'.repeat(6_000),
];

const VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e300,
  1.5,
  Number.MAX_SAFE_INTEGER,
  '',
  '__proto__',
  '\ud800',
  '\0',
  'x'.repeat(5_000),
  [],
  [[]],
  [null],
  {},
  { id: {} },
];

const BODIES: readonly string[] = [
  ...words`
    null 0 "" [] {} [null] {"a":1,"a":2} {"__proto__":{"id":1}} {"a":1}{"a":1} payload=%7B%7D&payload=%5B%5D
    payload=%7B%22type%22%3A%22url_verification%22%7D &&&===&&& <xml/>
  `,
  '',
  ' ',
  '\ufeff{}',
  '['.repeat(150) + ']'.repeat(150),
  '{"a":'.repeat(5_000),
  `[${'0,'.repeat(20_000)}0]`,
];

const TYPES: readonly string[] = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-7',
  'multipart/form-data; boundary=x',
  'text/plain',
  '',
  ';;;',
];

/** Returns a genuine delivery of which one part is replaced with nonsense. */
export function malformed(random: SeededRandom, delivery: CaseDelivery, signatureHeaders: readonly string[]): MalformedDelivery {
  const part = random.pick<Part>(['signature', 'body', 'rest']);
  const { headers, query = {} } = delivery;
  const others = Object.keys(headers).filter((name) => !signatureHeaders.includes(name));
  const body = Buffer.from(delivery.body);
  const search = new URLSearchParams(query).toString();
  const whole = { part, headers, body, search };
  if (part === 'signature') return { ...whole, headers: withNonsense(random, headers, signatureHeaders) };
  if (part === 'body') return { ...whole, body: strangeBody(random, delivery.body) };
  const type = { 'content-type': random.pick(TYPES) };
  return {
    ...whole,
    headers: { ...withNonsense(random, headers, others), ...(random.below(2) === 0 && type) },
    body: random.below(2) === 0 ? body : strangeBody(random, delivery.body),
    search: random.below(2) === 0 ? search : `svcConnectionId=${encodeURIComponent(random.pick(TEXTS))}&%=&&a=%E0`,
  };
}

/** Returns the headers, with at least one of those in `names` replaced with nonsense or left out. */
function withNonsense(
  random: SeededRandom,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const chosen = random.below(names.length);
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const isChanged = names[chosen] === name || (names.includes(name) && random.below(4) === 0);
    if (!isChanged) return [[name, value] as const];
    const nonsense = nonsenseFor(random, value);
    return nonsense === undefined || nonsense === value ? [] : [[name, nonsense] as const];
  });
  return Object.fromEntries(entries);
}

function nonsenseFor(random: SeededRandom, value: string): string | undefined {
  const at = random.below(value.length);
  const ways: readonly (() => string | undefined)[] = [
    () => undefined,
    () => random.pick(TEXTS),
    () => random.pick(TEXTS),
    () => value.slice(0, at),
    () => `${value}, ${random.pick(TEXTS).slice(0, 100)}`,
    () => `${value.slice(0, at)}${String.fromCharCode(0x21 + random.below(94))}${value.slice(at + 1)}`,
    () => random.bytes(random.below(200)).toString('base64'),
  ];
  return random.pick(ways)();
}

/** Returns a body that differs from the genuine one. */
function strangeBody(random: SeededRandom, body: string): Buffer {
  const ways: readonly (() => Buffer)[] = [
    () => Buffer.from(random.pick(BODIES)),
    () => Buffer.from(body.slice(0, random.below(body.length))),
    () => Buffer.concat([Buffer.from(body), random.bytes(1 + random.below(20))]),
    () => random.bytes(random.below(500)),
    () => Buffer.from(JSON.stringify(strangeJson(random, JSON.parse(body)))),
    () => Buffer.from(JSON.stringify(strangeJson(random, JSON.parse(body)))),
  ];
  const made = random.pick(ways)();
  return made.equals(Buffer.from(body)) ? Buffer.from(`${body} `) : made;
}

/** Returns the same JSON with some of its values replaced, which may be whole lists and objects. */
function strangeJson(random: SeededRandom, value: Json): Json {
  if (random.below(6) === 0) return random.pick(VALUES);
  if (isList(value)) return value.map((item) => strangeJson(random, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, strangeJson(random, member)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
