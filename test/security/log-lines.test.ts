import { expect } from 'chai';
import { Activity } from '../../core/journal/operation-log/activity.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { TestClock } from '../support/clock.ts';
import { cloneDatabase } from '../support/database.ts';
import { sendRequest } from '../support/requests/api-request.ts';
import { type ApiOperation, apiOperations } from '../support/requests/operations.ts';
import { nameOfPlace, type Place, placesOf, withText } from '../support/requests/places.ts';
import { World } from '../support/requests/world.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const MEGABYTE = 2 ** 20;
/** The limit in characters, enough for a line with a stack, a cause and some facts of 2,048 characters each, all escaped. */
const MAX_LINE = 64 * 1024;

const HOSTILE: Readonly<Record<string, string>> = {
  'a line break and a false line': 'a\n{"level":"error","message":"forged"}',
  'CR and LF': 'a\r\nb\rc',
  'line separators of Unicode': 'a\u2028b\u2029c\u0085d\u000bv\u000cf',
  'a terminal sequence': '\u001b[2J\u001b]0;title\u0007\u009b31m\u0090q\u009c',
  'every control character': `${Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('')}\u007f\u0080\u009f`,
  'a change of direction': 'a\u202eb\u202dc\u2066d\u2069e\u200ff\u061cg',
  'what cannot be seen': 'a\u200bb\u200dc\ufeffd\u00ade\u{e0041}f',
  'what ends a JSON text': '"}\\"},{"level":"error"',
  backslashes: '\\\\n\\u000a\\',
  NUL: 'a\u0000b',
  'halves of surrogate pairs': '\ud800a\udc00b\ud83e',
  'a pair where texts are cut': `${'x'.repeat(2_047)}\ud83e\udd8a rest`,
  'a megabyte': 'x'.repeat(MEGABYTE),
  'a megabyte of line breaks': '\n'.repeat(MEGABYTE),
  'a megabyte that grows when it is escaped': '\u0001'.repeat(MEGABYTE),
  markup: '<script>alert(1)</script>',
  'format directives': '%s %d %j %o %n ${x} {0}',
};

/** Parts of a log line in which a text from outside can appear. */
const FIELDS: Readonly<Record<string, (text: string) => readonly [message: string, facts?: Record<string, unknown>]>> = {
  'the message': (text) => [text],
  'a fact': (text) => ['m', { fact: text }],
  'the name of a fact': (text) => ['m', { [text]: 'fact' }],
  'a nested fact': (text) => ['m', { nested: { deep: [text, { [text]: text }] } }],
  'the message of an error': (text) => ['m', { error: new Error(text) }],
  'the name of an error': (text) => ['m', { error: Object.assign(new Error('m'), { name: text }) }],
  'the code of an error': (text) => ['m', { error: Object.assign(new Error('m'), { code: text }) }],
  'the stack of an error': (text) => ['m', { error: Object.assign(new Error('m'), { stack: text }) }],
  'the cause of an error': (text) => ['m', { error: new Error('m', { cause: new Error(text) }) }],
  'an address': (text) => ['m', { url: new URL(`https://a.test/${encodeURIComponent(text.toWellFormed().slice(0, 5_000))}`) }],
};

/** Asserts that the text is a single line that people and programs can read. */
function expectOneLine(line: string, what: string): void {
  expect(line.endsWith('\n'), what).to.equal(true);
  const text = line.slice(0, -1);
  expect(text, what).not.to.match(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(text.length, what).to.be.below(MAX_LINE);
  expect(JSON.parse(text), what).to.include.keys('level', 'time', 'message');
}

describe('a line of the process log (LOG-01)', () => {
  for (const [what, text] of Object.entries(HOSTILE)) {
    it(`is a single line of limited length, whatever holds ${what}`, () => {
      for (const [field, call] of Object.entries(FIELDS)) {
        const lines: string[] = [];
        const log = createLogger({ level: 'debug', write: (line) => lines.push(line) });
        log.error(...call(text));
        log.child(call(text)[1] ?? {}).debug('m');
        expect(lines).to.have.length(2);
        for (const line of lines) expectOneLine(line, field);
      }
    });
  }
});

describe('an entry of the operation log (LOG-01)', function () {
  const database = use(this, cloneDatabase);
  const activity = use(
    this,
    () => new Activity({ db: database.db, clock: new TestClock(), log: createLogger({ level: 'silent' }) }),
  );
  let environmentId: number;

  before(async () => {
    const [account] = await database.db('accounts').insert({ name: 'a' }).returning('id');
    const [environment] = await database.db('environments').insert({ account_id: account.id, name: 'e' }).returning('id');
    environmentId = environment.id;
  });

  for (const [what, text] of Object.entries(HOSTILE)) {
    it(`is kept with limited length, whatever holds ${what}`, async () => {
      const operation = activity.begin({
        type: 'proxy',
        operation: text,
        environmentId,
        connectionId: text,
        providerConfigKey: text,
      });
      for (const call of Object.values(FIELDS)) operation.note('error', ...call(text));
      operation.end('failure');
      await activity.flush();
      const row = await database.db('operation_log').where({ id: operation.id }).first();
      expect(row, 'the entry').not.to.equal(undefined);
      expect(row.messages).to.have.length(Object.keys(FIELDS).length);
      for (const stored of [row.operation, row.connection_id, row.provider_config_key]) expect(stored.length).to.be.below(2_100);
      for (const message of row.messages) expect(JSON.stringify(message).length).to.be.below(MAX_LINE);
    });
  }
});

describe('a text that a caller sends (LOG-01)', function () {
  this.timeout(size(120_000, 600_000));
  const world = use(this, () => World.open({ SVC_LOG_LEVEL: 'debug' }));

  it('is never more than a part of one line, at any place of any request', async () => {
    const texts = Object.entries(HOSTILE);
    let turn = 0;
    for (const operation of apiOperations) {
      const { request } = await world.requestFor(operation);
      const cases = placesOf(operation, request).flatMap((place) => Array.from({ length: size(1, texts.length) }, () => place));
      for (const place of cases) await expectHarmless(operation, place, texts[turn++ % texts.length] ?? ['', '']);
    }
  });

  async function expectHarmless(operation: ApiOperation, place: Place, [what, text]: readonly [string, string]): Promise<void> {
    const { request, client } = await world.requestFor(operation);
    const before = world.app.logLines.length;
    await sendRequest(client, withText(request, place, place.in === 'body' ? text : text.slice(0, 1_000)));
    for (const line of world.app.logLines.slice(before)) expectOneLine(line, `${operation.name}, ${nameOfPlace(place)}: ${what}`);
  }

  it('is cut in the operation log', async () => {
    await world.app.services.activity.flush();
    const rows = await world.app.database.db('operation_log');
    expect(rows.length).to.be.greaterThan(10);
    for (const row of rows) expect(JSON.stringify(row).length).to.be.below(MAX_LINE);
  });
});
