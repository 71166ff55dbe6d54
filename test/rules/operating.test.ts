import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { codeBlocks } from '../support/code-blocks.ts';
import { projectFolder } from '../support/source-files.ts';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

const CORE = globSync('core/**/*.ts', { cwd: projectFolder }).map(read).join('\n');
const ALERTS = read('deploy/prometheus/alerts.yml');
/** The beginning of each code block of the guide that repeats lines of a configuration in `deploy/`, and that file. */
const CONFIGURATIONS: readonly (readonly [begin: string, file: string])[] = [
  ['map $request_uri', 'nginx.conf'],
  ['http-request redirect', 'haproxy.cfg'],
  ['redir /svc', 'Caddyfile'],
];

/** Returns what incidents quote: the code in the paragraphs that begin with "You see". */
function quotedTexts(page: string): readonly string[] {
  const paragraphs = page.split('\n\n').filter((paragraph) => paragraph.startsWith('**You see**'));
  return paragraphs.flatMap((paragraph) =>
    [...paragraph.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\n', ' ')),
  );
}

/** Returns the parts of a text that must each be in the code: `…` stands for what differs, and JSON is made of its words. */
function partsOf(text: string): readonly string[] {
  const parts = text.startsWith('{') ? text.split(/[{}":,]+/) : text.split('…');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Returns the anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

describe('the guide for operators', () => {
  it('quotes only texts that the service writes, and alerts that exist', () => {
    const quoted = quotedTexts(read('docs/incidents.md'));
    expect(quoted.filter((text) => text.includes(' '))).to.have.length.above(20);
    const missing = quoted
      .flatMap(partsOf)
      .filter((part) => !(/^Svc[A-Z]/.test(part) ? ALERTS.includes(`alert: ${part}\n`) : CORE.includes(part)));
    expect(missing).to.deep.equal([]);
  });

  it('has for each incident what is seen, what it means and what to do', () => {
    const incidents = read('docs/incidents.md').split(/^## /m).slice(1);
    expect(incidents).to.have.length.above(11);
    for (const incident of incidents)
      expect(incident).to.match(/^[^\n]+\n\n\*\*You see\*\* .+\n\n\*\*It means\*\*.+\n\n\*\*Do\*\* /s);
  });

  it('has a row for each alert, which leads to an incident', () => {
    const page = read('docs/incidents.md');
    const rows = [...page.matchAll(/^\| `(Svc\w+)` +\| (.+?) +\|$/gm)];
    expect(rows.map(([, alert]) => alert)).to.deep.equal(Array.from(ALERTS.matchAll(/alert: (\w+)/g), ([, alert]) => alert));
    const titles = new Set(Array.from(page.matchAll(/^## (.+)$/gm), ([, title = '']) => `[${title}](#${anchorOf(title)})`));
    for (const [, alert, cell = ''] of rows) {
      const links = cell.match(/\[[^\]]+\]\([^)]+\)/g) ?? [];
      expect(links, alert).not.to.deep.equal([]);
      expect([...titles], alert).to.include.members(links);
    }
  });

  it('shows the lines of the configurations that put the service below a path', () => {
    const blocks = codeBlocks(read('docs/operating.md'), 'text');
    for (const [begin, file] of CONFIGURATIONS) {
      const block = blocks.find((text) => text.startsWith(begin)) ?? '';
      const shown = block.split('\n').flatMap((line) => line.trim() || []);
      const commented = [...read(`deploy/${file}`).matchAll(/^\s*#(\S.*)$/gm)].map(([, line = '']) => line);
      // The last line of the Caddyfile is the bracket at its end.
      expect(shown, file).to.deep.equal(commented.filter((line) => line !== '}'));
    }
  });
});
