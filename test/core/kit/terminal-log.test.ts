import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { createLogger } from '../../../core/kit/logger.ts';
import { terminalWriter } from '../../../core/kit/terminal-log.ts';

const HOSTILE = 'a\u001b[2J\r\nforged\u009b\u202e\u0007 "quoted" C:\\new';

describe('the log at a terminal (LOG-01)', () => {
  it('lets no logged text control the terminal or begin a line', async () => {
    let printed = '';
    const write = await terminalWriter((text) => {
      printed += text;
    });
    if (write === undefined) throw new Error('pino-pretty is not installed');
    const log = createLogger({ level: 'info', write });
    log.info(HOSTILE, { fact: HOSTILE, deep: { fact: HOSTILE } });

    const lines = stripVTControlCharacters(printed).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('forged'))).to.deep.equal([]);
    for (const bare of ['\u001b[2J', '\r', '\u009b', '\u202e', '\u0007']) expect(printed).not.to.contain(bare);
    expect(lines[0])
      .to.match(/^\[\d\d:\d\d:\d\d\] INFO: a/)
      .and.contain('\\u001b[2J')
      .and.contain('"quoted"');
  });
});
