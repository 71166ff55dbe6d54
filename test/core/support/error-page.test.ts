import { expect } from 'chai';
import { refusalPage } from '../../../core/api/result-page.ts';
import { ServiceError } from '../../../core/errors.ts';
import { expectErrorPage, type PageResponse } from '../../support/error-page.ts';
import { responseChecker } from '../../support/openapi.ts';
import { apiDocument } from '../../support/requests/operations.ts';

describe('the response checker', () => {
  const { headers, body } = refusalPage(new ServiceError('not_found', 'nothing'), 'request-1');
  const page: PageResponse = {
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'svc-error': 'not_found',
      'svc-request-id': 'request-1',
      'x-content-type-options': 'nosniff',
    },
    text: String(body),
  };
  const check = responseChecker(apiDocument);
  const received = { method: 'GET', path: '/connect/la', status: 404, contentType: 'text/html', body: undefined };

  it('knows the error pages beside pages', () => {
    expect(() => check({ ...received, page })).not.to.throw();
  });

  for (const [what, other] of [
    ['to a request that did not ask for one', { page: undefined }],
    ['beside no page', { path: '/connections/x/y', page }],
    ['as a refused head', { status: 431, page }],
    ['as the error of a documented endpoint', { path: '/providers', page }],
    ['where JSON came instead', { page: { headers: { 'content-type': 'application/json' }, text: '{}' } }],
  ] as const) {
    it(`takes none ${what}`, () => {
      expect(() => check({ ...received, ...other })).to.throw();
    });
  }

  for (const text of ['<img src=x>', '<script>', 'a & b', '1 < 2', '\u0000', '<p onclick="x">']) {
    it(`takes none with ${JSON.stringify(text)} in it`, () => {
      expect(() => expectErrorPage({ ...page, text: page.text.replace('</p>', `${text}</p>`) }, 404)).to.throw();
    });
  }
});
