import { expect } from 'chai';
import { type ApiRequest, sendRequest, urlOf } from '../support/requests/api-request.ts';
import { INJECTIONS, MARKER } from '../support/requests/injections.ts';
import { exampleValue } from '../support/requests/names.ts';
import { type ApiOperation, apiOperations } from '../support/requests/operations.ts';
import { nameOfPlace, type Place, placesOf, withValue } from '../support/requests/places.ts';
import { World } from '../support/requests/world.ts';
import { size } from '../support/size.ts';
import { StatementLog } from '../support/statement-log.ts';
import { use } from '../support/use.ts';

/** Statements that the service executes periodically or when a cache has expired, so that they may appear during any request. */
const BY_THE_CLOCK = [
  /\bkey_reports\b|from "encryption_keys"/,
  /"choice_expires_at" <= /,
  /^\s*with given as materialized \(select \* from json_populate_recordset\(null::operation_log/,
  /^\s*insert into operation_counts \(/,
  /set "last_(?:fetched|used)_at"/,
  /^\s*update integrations set answered_at = /,
  /from "api_keys" where "secret_hash" = \$1 /,
];
/** Statements that begin and end a transaction. They are always allowed, because the values in a request decide how it ends. */
const BRACKETS = /^(?:BEGIN|COMMIT|ROLLBACK);?$/i;
const HARMLESS = ['harmless', 'one,two', '999999', '0', 'true'];
/** The error codes of responses when the database has refused a statement. */
const FAULTS = ['server_error', 'storage_unavailable'];

describe('a text with a meaning in SQL (AUT-02)', function () {
  this.timeout(size(60_000, 3_600_000));
  const world = use(this, () => World.open());
  let log: StatementLog;
  /** All statements that the service has executed for harmless values. */
  const known = new Set<string>();
  let used = 0;
  let places = 0;

  before(() => {
    log = new StatementLog(world.app.services.db);
  });

  it('comes in 300 forms', () => expect(INJECTIONS.length).to.be.at.least(300));

  for (const operation of apiOperations) {
    it(`is treated as an ordinary value by ${operation.name}`, async () => {
      const { request } = await world.requestFor(operation);
      for (const place of placesOf(operation, request).filter(isInTurn)) {
        await learn(operation, place);
        for (const text of someInjections()) await inject(operation, place, text);
      }
    });
  }

  it('has changed nothing else', async () => {
    const names = await world.namesFor({ method: 'GET' });
    const { body } = await world.app.api.get(`/connections/${names.connectionId}?provider_config_key=${names.integration}`);
    expect(body.tags).to.deep.equal({ owner: 'one' });
  });

  /** Says whether a place is examined: places share their parsers and stores, so that a short run examines every third. */
  function isInTurn(): boolean {
    places += 1;
    return places % size(3, 1) === 0;
  }

  /**
   * Returns the next injections in turn, so that each place in a request gets some of them and each text is sent in many places.
   */
  function someInjections(): string[] {
    const count = size(1, INJECTIONS.length);
    const chosen = Array.from({ length: count }, (_, at) => INJECTIONS[(used + at) % INJECTIONS.length] ?? '');
    used += count;
    return chosen;
  }

  /**
   * Sends harmless values and records the resulting statements as the only allowed ones. One value is sent twice, since repeating
   * a unique key causes other statements.
   */
  async function learn(operation: ApiOperation, place: Place): Promise<void> {
    for (const value of [undefined, ...HARMLESS, HARMLESS[0]]) {
      const { request, client } = await world.requestFor(operation);
      const names = await world.namesFor({ method: 'GET' });
      await sendRequest(
        client,
        value === undefined ? withFitting(operation, { request, place, names }) : withValue(request, place, value),
      );
    }
    for (const text of log.drain().texts) known.add(anyLength(text));
  }

  async function inject(operation: ApiOperation, place: Place, text: string): Promise<void> {
    const { request, client } = await world.requestFor(operation);
    log.drain();
    const sent = withValue(request, place, text);
    const response = await sendRequest(client, sent);
    const { texts, faults } = log.drain();
    const what = `${operation.name} with ${JSON.stringify(text)} in ${nameOfPlace(place)} (${urlOf(sent)})`;
    expect(faults, what).to.deep.equal([]);
    for (const statement of texts) {
      expect(statement, what).not.to.contain(MARKER);
      const isExpected =
        known.has(anyLength(statement)) || BY_THE_CLOCK.some((one) => one.test(statement)) || BRACKETS.test(statement);
      if (!isExpected) expect.fail(`${what} led to a statement of its own: ${statement}`);
    }
    expect(FAULTS, `${what}: ${response.text}`).not.to.include(response.body?.error?.code);
    if (place.in === 'query' && request.method === 'GET')
      expectOnlyMatches(response.body, isByWords(operation, place) ? wordsOf(text) : [text], what);
  }
});

/** Returns a statement with each list of values, and of words to search for, shortened to one, since the lengths vary. */
function anyLength(statement: string): string {
  return statement
    .replaceAll(/\$\d+/g, '?')
    .replaceAll(/\?(?:, \?)+/g, '?')
    .replaceAll(/(select [^()]+?)(?: intersect \1)+/g, '$1');
}

interface Fitting {
  readonly request: ApiRequest;
  readonly place: Place;
  readonly names: Parameters<typeof exampleValue>[1];
}

/** Returns the request. If the place is a query parameter, which the request may lack, it gets a valid value. */
function withFitting({ parameters }: ApiOperation, { request, place, names }: Fitting): ApiRequest {
  const parameter = parameters.find(({ name }) => place.in === 'query' && place.at[0] === name);
  if (parameter === undefined) return request;
  const whole: Place = { in: 'query', at: [parameter.name], as: 'value' };
  return withValue(request, whole, exampleValue(parameter.schema, names, parameter.name));
}

type Listed = { readonly connections?: readonly unknown[]; readonly data?: unknown } | undefined;

/** Says whether a place is the search text of the operation log, which is split into words; all other characters are ignored. */
function isByWords({ name }: ApiOperation, { at }: Place): boolean {
  return name === 'GET /logs' && at[0] === 'search';
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Asserts that every object in a filtered list contains the texts. If they were read as wildcards, others would be listed, too.
 */
function expectOnlyMatches(body: Listed, texts: readonly string[], what: string): void {
  const found = body?.connections ?? (Array.isArray(body?.data) ? body.data : []);
  for (const item of found)
    for (const text of texts) expect(JSON.stringify(item).toLowerCase(), what).to.contain(text.toLowerCase());
}
