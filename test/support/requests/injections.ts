import { words } from '../words.ts';

/**
 * A marker in most of the texts below. A test that finds it in an SQL statement knows that the statement contains a caller's
 * text.
 */
export const MARKER = 'zq7x';

const QUOTES = [...words`' " '' \ \' E' U&'\0027 %27 %2527`, '`', '$$', '$zq7x$', '\u2019', '\uff07', '\u02bc', "\u0301'"];
const TAILS = [
  ' or 1=1 --',
  ' OR true#',
  '; select pg_sleep(5) --',
  '; drop table connections; --',
  ' union select null, version() --',
  ') returning credentials --',
  '||(select secret_hash::text from api_keys limit 1)||',
  ' and 1=cast((select version()) as int) --',
];

const OPERATORS = [
  ...words`
    @> <@ -> ->> #> #>> ? ?| ?& || #- @? @@ ~ ~* !~ ~~ :: := <-> ?? \? ?::jsonb $1 $2::text :1 :name :name: @p1 %s %I %L {0} #{x}
    {{7*7}}
  `,
  '${1+1}',
].map((operator) => `a ${operator} ${MARKER}`);

const JSON_TEXTS = [
  `{"${MARKER}":1}`,
  `{"$ne":"${MARKER}"}`,
  `{"$gt":""}`,
  `[{"$regex":".*"}]`,
  `"${MARKER}`,
  `${MARKER}"}`,
  `","${MARKER}":"`,
  `"},"tags":{"${MARKER}":"x`,
  `$.${MARKER}`,
  `$[*] ? (@.a == "${MARKER}")`,
  `$.**.${MARKER}`,
  `{a,${MARKER}}`,
  `{"a","${MARKER}"}`,
  `{{${MARKER}}}`,
  'null',
  '[]',
  '{}',
  '[null]',
  '"\\u0000"',
  '\\u0000',
  '"\\ud800"',
];

const WILDCARDS = ['%', '_', '%%', '_%', '%_%', '\\%', '\\_', '\\\\', '[a-z]', '*', '.*', '^', '(?i)', '%e%', '__', '\\'];

const NUMBERS = [
  ...words`
    -1 0 00 1e9 1E1 0x10 0b1 1.5 1,5 +1 ١ １ ² NaN Infinity -0 2147483648 9223372036854775808 99999999999999999999 1;2 1' 1-- (1)
    1::int null
  `,
  ' 1',
  '1 ',
  '1 or 1=1',
  '',
];

/** Texts that, decoded from base64url, are either no cursor or the cursor of a row that does not exist. */
const CURSORS = ['c1', 'c1 or 1=1', "c1'", 'c-1', 'c0', 'c999999999999999', 'c9999999999999999', 'c1;', 'c1e3', ''].flatMap(
  (text) => [Buffer.from(text).toString('base64url'), Buffer.from(text).toString('base64'), text],
);

const CHARACTERS = [
  ...'\u0000\u0001\b\t\n\r\u001a\u007f\u0085\u00a0\u00ad\u200b\u200d\u202e\u2028\u2029\u2066\ufeff\ufffd\uffff\u{10ffff}\u{e0041}',
  ...'\u0130\u0131\u017f\u212a\u00df\ufb01\u1e9e\ud83e\udd8a',
  '\r\n',
  '\u001b[2J',
  'e\u0301',
  '\u{1f469}\u200d\u{1f680}',
].map((character) => `${MARKER}${character}a`);

const PATHS = words`../ ..\ /etc/passwd ./ // %2e%2e/ ..;/ ;a=b ?a=b #a %00 % %zz + & =`.map((text) => `${MARKER}${text}`);

const OTHERS = [
  `<script>${MARKER}</script>`,
  `\${${MARKER}}`,
  `{{${MARKER}}}`,
  `\`${MARKER}\``,
  `$(${MARKER})`,
  `|${MARKER}`,
  `javascript:${MARKER}`,
  `__proto__`,
  'constructor',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'undefined',
  'null',
  'true',
  `${MARKER},a,b,c`,
  `a,${MARKER}`,
  `,${MARKER},,`,
  MARKER.repeat(60),
  MARKER.repeat(64),
  MARKER.repeat(1_000),
];

/** Texts that have a special meaning to a database, in a path or a template, or for careless code that processes them. */
export const INJECTIONS: readonly string[] = [
  ...new Set([
    ...QUOTES.flatMap((quote) => TAILS.map((tail) => `${MARKER}${quote}${tail}`)),
    ...OPERATORS,
    ...JSON_TEXTS,
    ...WILDCARDS,
    ...NUMBERS,
    ...CURSORS,
    ...CHARACTERS,
    ...PATHS,
    ...OTHERS,
  ]),
];
