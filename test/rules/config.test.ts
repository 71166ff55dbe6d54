import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { settings } from '../../core/config/schema.ts';
import { projectFolder } from '../support/source-files.ts';

const HEADING = `# Every setting of the service, with its default. Copy the lines you change into the environment of the process.
# An empty value counts as unset. A test compares this file with core/config/schema.ts.
`;

describe('default.env', () => {
  it('matches the schema', () => {
    const paragraphs = Object.entries(settings).map(
      ([name, schema]) => `# ${schema.description}\n#${name}=${writtenDefault(schema)}\n`,
    );
    expect(readFileSync(`${projectFolder}core/config/default.env`, 'utf8')).to.equal([HEADING, ...paragraphs].join('\n'));
  });
});

describe('settings', () => {
  for (const [name, { description = '' }] of Object.entries(settings)) {
    it(`${name} is described by one sentence`, () => {
      expect(description).to.match(/^[^\n]{10,160}[^.\s]\.$/);
    });
  }
});

function writtenDefault(schema: (typeof settings)[keyof typeof settings]): string {
  const value: unknown = schema.parse(undefined);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === undefined ? '' : String(value);
}
