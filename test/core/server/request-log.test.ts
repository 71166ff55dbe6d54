import { expect } from 'chai';
import { healthRoutes } from '../../../core/api/health.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { RequestLog } from '../../../core/server/request-log.ts';
import { startEdge } from '../../support/http-edge.ts';
import { until } from '../../support/until.ts';

const REQUEST = { requestId: 'r', method: 'GET', route: '/things/:id', status: 200, seconds: 0.2, isLasting: false };

describe('the log of requests', () => {
  function started() {
    const lines: Record<string, unknown>[] = [];
    const log = createLogger({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    return { lines, requests: new RequestLog(log, 20) };
  }

  it('has a line for each at level debug, by its declared path', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLogger({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    await using edge = await startEdge(healthRoutes, { log });
    const { headers } = await edge.as().get('/health');
    await until('it is logged', () => lines.some(({ message }) => message === 'a request'));
    const line = lines.find(({ message }) => message === 'a request');
    const facts = { level: 'debug', method: 'GET', route: '/health', status: 200, requestId: headers.get('svc-request-id') };
    expect(line).to.include(facts).and.not.to.have.property('isLasting');
    expect(line?.['durationMs']).to.be.within(0, 1_000);
  });

  it('has the slow ones at level info, except those that last as long as their reader wants', () => {
    const { lines, requests } = started();
    requests.ended({ ...REQUEST, seconds: 0.999 });
    requests.ended({ ...REQUEST, seconds: 1 });
    requests.ended({ ...REQUEST, seconds: 60, isLasting: true });
    expect(lines.map(({ level, message, durationMs }) => [level, message, durationMs])).to.deep.equal([
      ['debug', 'a request', 999],
      ['info', 'a request was slow', 1000],
      ['debug', 'a request', 60_000],
    ]);
  });

  it('counts refusals by status and path, and tells the counts together', async () => {
    const { lines, requests } = started();
    for (const status of [401, 404, 404, 500, 200]) requests.ended({ ...REQUEST, status });
    await until('they are told', () => lines.some(({ message }) => message === 'requests were refused'));
    expect(lines.at(-1)).to.deep.include({ level: 'info', counts: { '404 GET /things/:id': 2, '401 GET /things/:id': 1 } });
    requests.ended({ ...REQUEST, status: 400 });
    await until('the next are told', () => JSON.stringify(lines.at(-1)).includes('"400 GET /things/:id":1'));
  });
});
