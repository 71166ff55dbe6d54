import { expect } from 'chai';
import * as z from 'zod';
import { createApp } from '../../../core/server/app.ts';
import { defineRoute, type Route } from '../../../core/server/route.ts';
import { edgeServices, ROUTE } from '../../support/http-edge.ts';

const good = defineRoute({ ...ROUTE, method: 'GET', path: '/good', handle: async () => ({}) });

const WRONG: readonly (readonly [string, object, string])[] = [
  ['declares no access', { access: undefined }, 'GET /good declares neither'],
  ['declares an unknown scope', { access: { scope: 'environment:everything' } }, 'GET /good declares neither'],
  ['declares an empty access', { access: {} }, 'GET /good declares neither'],
  ['has a pattern as path', { path: '/good/*all' }, 'GET /good/*all has a path'],
  ['takes a body with GET', { body: z.strictObject({}) }, 'GET /good is a GET with a body'],
];

describe('the list of routes', () => {
  for (const [what, change, fault] of WRONG) {
    it(`stops the start when a route ${what}`, () => {
      expect(() => start([wrong(change)])).to.throw(fault);
    });
  }

  it('stops the start when two routes are the same', () => {
    expect(() => start([good, good])).to.throw('GET /good is declared twice');
  });

  it('names every wrong route at once', () => {
    expect(() => start([wrong({ access: undefined }), wrong({ path: 'x' })]))
      .to.throw('GET /good declares')
      .with.property('message')
      .that.contains('GET x has a path');
  });

  it('is accepted when every route is right', () => {
    expect(() => start([good])).not.to.throw();
  });
});

/** Returns a faulty route as only a module without type checks could declare it. */
function wrong(change: object): Route<unknown> {
  return Object.assign({}, good, change);
}

function start(routes: readonly Route<unknown>[]): void {
  createApp(edgeServices(), routes);
}
