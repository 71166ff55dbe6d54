import { expect } from 'chai';
import { compile } from '../../../core/scripts/compile.ts';
import { SCRIPT_EVENTS } from '../../../core/scripts/event.ts';
import { STARTERS } from '../../../ui/dashboard/components/snippets/starters.ts';

describe('the template of a first script', () => {
  for (const event of SCRIPT_EVENTS)
    it(`compiles for ${event}`, () => {
      const source = STARTERS[event];
      expect(compile({ event, language: 'javascript', source }).code).to.equal(source);
    });
});
