import { expect } from 'chai';
import { createLogger } from '../../../core/kit/logger.ts';
import { until } from '../../support/until.ts';

describe('the limit of log lines', () => {
  function started(level: 'info' | 'debug' = 'info') {
    const lines: { level: string; message: string; at?: number; more?: number }[] = [];
    const log = createLogger({ level, write: (line) => lines.push(JSON.parse(line)), alikePerSecond: 5 });
    return { lines, log };
  }

  it('writes five of one kind, and then how many more there were', async () => {
    const { lines, log } = started();
    for (let at = 0; at < 317; at += 1) log.warn('it fails', { at });
    expect(lines.map(({ at }) => at)).to.deep.equal([0, 1, 2, 3, 4]);
    await until('the rest is told', () => lines.length > 5);
    expect(lines[5]).to.include({ level: 'warn', message: 'it fails … 312 more', more: 312 });
    log.warn('it fails', { at: 317 });
    expect(lines.at(-1)).to.include({ message: 'it fails', at: 317 });
  });

  it('holds for each kind by itself, whichever part of the service writes it', () => {
    const { lines, log } = started();
    const child = log.child({ part: 'one' });
    for (let at = 0; at < 4; at += 1) {
      log.info('one');
      child.info('one');
      log.info('two');
      log.warn('one');
    }
    const count = (level: string, message: string) => lines.filter((line) => line.level === level && line.message === message);
    expect(count('info', 'one')).to.have.length(5);
    expect(count('info', 'two')).to.have.length(4);
    expect(count('warn', 'one')).to.have.length(4);
  });

  it('tells nothing more where there was nothing more, and is not for level debug', async () => {
    const { lines, log } = started('debug');
    for (let at = 0; at < 5; at += 1) log.info('few');
    for (let at = 0; at < 20; at += 1) log.debug('many');
    for (let at = 0; at < 6; at += 1) log.info('others');
    await until('the others are told', () => lines.some(({ message }) => message === 'others … 1 more'));
    expect(lines.filter(({ message }) => message.startsWith('few'))).to.have.length(5);
    expect(lines.filter(({ message }) => message === 'many')).to.have.length(20);
  });
});
