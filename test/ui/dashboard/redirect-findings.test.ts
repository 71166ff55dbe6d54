import { expect } from 'chai';
import { findingsOf } from '../../../ui/dashboard/pages/settings/redirect-findings.ts';

const HERE = 'https://svc.example.com/oauth/callback';
type Check = Parameters<typeof findingsOf>[0];

/** Each check, with a ✓ or ✗ for each of its findings in order, and a part of the text of the first ✗. */
const CHECKS: readonly (readonly [Check, string, string?])[] = [
  [{ verdict: 'own', status: null, location: null }, '✓'],
  [{ verdict: 'right', status: 308, location: HERE }, '✓✓✓✓'],
  [{ verdict: 'wrong_status', status: 302, location: HERE }, '✓✗✓✓', '302: use 308'],
  [{ verdict: 'query_dropped', status: 308, location: HERE }, '✓✓✓✗', 'drops the query'],
  [{ verdict: 'query_dropped', status: 301, location: HERE }, '✓✗✓✗', '301: use 308'],
  [{ verdict: 'leads_elsewhere', status: 308, location: 'https://else.example/cb' }, '✓✓✗', 'https://else.example/cb'],
  [{ verdict: 'no_redirect', status: 404, location: null }, '✓✗', 'answered 404'],
  [{ verdict: 'not_reachable', status: null, location: null }, '✗', 'could not be reached'],
  [{ verdict: 'not_allowed', status: null, location: null }, '✗', 'private, or not https'],
];

describe('the findings of a check of a callback URL', () => {
  for (const [check, marks, fault] of CHECKS)
    it(`${check.verdict}, ${check.status ?? 'no response'}: ${marks}`, () => {
      const findings = findingsOf(check);
      expect(findings.map(({ isRight }) => (isRight ? '✓' : '✗')).join('')).to.equal(marks);
      const wrong = findings.filter(({ isRight }) => !isRight).map(({ text }) => text);
      if (fault === undefined) expect(wrong).to.deep.equal([]);
      else expect(wrong[0]).to.contain(fault);
    });
});
