import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { guideOf } from '../../../ui/dashboard/app/guides.ts';
import { renderGuides } from '../../../ui/pipeline/guides.ts';
import { projectFolder } from '../../support/source-files.ts';

/** The routes are read from the source because only a browser can load the pages that it imports. */
const TABLE = readFileSync(`${projectFolder}ui/dashboard/app/routes.ts`, 'utf8');
const PAGES = [...TABLE.matchAll(/\{ path: '([^']+)', load: .*\.\w+ \}/g)].map(([, path = '']) => path);

describe('the guides of the dashboard’s pages', () => {
  const guides = new Map(renderGuides().map(({ slug, sections }) => [slug, sections.map(({ id }) => id)]));

  it('are looked for on all pages behind the sign-in', () => {
    expect(PAGES).to.include.members(['e/:env/home', 'account/audit']).and.not.include('login');
  });

  for (const path of PAGES.filter((one) => one !== 'e/:env')) {
    it(`${path} has one that exists, as does its section`, () => {
      const [, slug = '', section] = /^docs\/([\w-]+)(?:#(.+))?$/.exec(guideOf(path)) ?? [];
      const sections = guides.get(slug) ?? expect.fail(`there is no guide ${slug}`);
      if (section !== undefined) expect(sections).to.include(section);
    });
  }
});
